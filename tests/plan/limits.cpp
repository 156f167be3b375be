// Windows that end at a given progress: they cut the stream of operations, and change none.
#include <gossip/clock/lognormal_time.hpp>
#include <gossip/exchange/ad_psgd.hpp>
#include <gossip/exchange/choco_sgd.hpp>
#include <gossip/exchange/clipped_gossip.hpp>
#include <gossip/exchange/d_psgd.hpp>
#include <gossip/exchange/div_share.hpp>
#include <gossip/exchange/epidemic_learning.hpp>
#include <gossip/exchange/fed_avg.hpp>
#include <gossip/exchange/gossip_learning.hpp>
#include <gossip/exchange/parameter_server.hpp>
#include <gossip/exchange/stop_at.hpp>
#include <gossip/op/column_table.hpp>
#include <gossip/topology/complete.hpp>
#include <gossip/topology/ring.hpp>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <random>
#include <vector>

#include "../exchange/scalar_exchanges.hpp"
#include "plans.hpp"

using namespace gossip;
using namespace gossip::test;

namespace {

using words = std::vector<std::uint64_t>;

void add(words &to, double x) {
  to.push_back(std::bit_cast<std::uint64_t>(x));
}
void add(words &to, progress_mark const &mark) {
  to.insert(to.end(), {mark.round, mark.node_iterations, mark.bytes_sent,
                       static_cast<std::uint64_t>(mark.time.count())});
  add(to, mark.epoch);
}

/// The plan of a run, whose operations have all that they name in their windows.
struct resolved_plan {
  std::vector<words> operations;
  std::vector<progress_mark> ends;  // of the windows
  std::vector<std::uint32_t> payloads;
  std::uint64_t scalars = 0;

  function_tables<double> functions;

  void append(plan_window const &window) {
    functions.take(window.functions);
    for (operation const &o : window.stream) operations.push_back(resolved(o, window));
    scalars += window.scalars;
    ends.push_back(window.end);
  }

 private:
  void add_operands(words &all, plan_window const &window, std::size_t from) const {
    for (;; ++from) {
      operand const &one = window.operands.at(from);
      add(all, one.number);
      all.push_back(one.scalar == operand::none ? operand::none : scalars + one.scalar);
      if (one.last) return;
    }
  }

  words resolved(operation const &o, plan_window const &window) const {
    words all{static_cast<std::uint64_t>(o.kind()),
              o.a,
              o.b(),
              o.rows.word(),
              o.limits().first,
              o.limits().last};
    if (o.makes_scalar()) all.insert(all.end(), {scalars + o.scalar(), o.owner_of_scalar()});
    if (o.reads_scalars()) add_operands(all, window, o.first_operand());
    switch (o.kind()) {
      case operation_kind::columns: {
        work::columns const &own = o.columns();
        all.push_back(own.function);
        if (own.has_coefficient()) add(all, own.coefficient);
        if (own.place == coefficient_place::window)
          for (std::size_t k = 0; k < functions.columns.at(own.function).coefficients; ++k)
            add(all, window.coefficients.at(own.first + k));
        break;
      }
      case operation_kind::mix: {
        all.push_back(o.mix().function);
        mixing_matrix const &w = *window.matrices.at(o.mix().matrix);
        for (std::size_t i = 0; i < w.rows(); ++i) {
          auto const [columns, values] = w.row(i);
          all.insert(all.end(), columns.begin(), columns.end());
          for (double const value : values) add(all, value);
        }
        break;
      }
      case operation_kind::observe: {
        observation const &seen = window.observations.at(o.observe().observation);
        add(all, seen.mark);
        all.insert(all.end(), {seen.due, seen.last});
        break;
      }
      case operation_kind::compute:
        all.push_back(o.compute().function);
        break;
      case operation_kind::whole_rows:
        all.push_back(o.whole_rows().function);
        break;
      case operation_kind::reduce_rows:
        all.push_back(o.reduce_rows().function);
        break;
      case operation_kind::sum: {
        work::sum const &own = o.sum();
        all.insert(all.end(), {own.to_all_nodes, own.over_all_nodes, own.count});
        for (std::size_t k = 0; k < own.count; ++k) {
          all.push_back(window.terms.at(own.first + k).owner);
          add(all, window.terms.at(own.first + k).weight);
        }
        if (own.over_all_nodes) add(all, own.weight);
        break;
      }
      case operation_kind::train:
      case operation_kind::step:
      case operation_kind::reduce:
        for (std::uint64_t const word : o.words()) all.push_back(word);
    }
    return all;
  }
};

/// The limit of the next window, given the progress so far.
using limits = std::function<std::uint64_t(std::uint64_t)>;

constexpr double answer_of(std::size_t question) {
  return 0.125 * static_cast<double>(question);
}

/// Plans to the end, and answers what the exchange asks.
template <class Exchange, class Compute>
resolved_plan planned(Exchange const &exchange, graph const &g, virtual_clock<Compute> const &clock,
                      plan_settings const &settings, limits const &limit) {
  planner<Exchange> source(exchange, g, clock, settings);
  resolved_plan all;
  progress_mark before;
  std::size_t asked = 0;
  bool ended = false;
  std::uint64_t at = limit(0);
  for (plan_window window; source.next(window, at);) {
    CHECK_FALSE(ended);
    ended = window.is_last();
    bool const of_itself = window.trainings() >= 4 * g.nodes() || window.asks || ended;
    if (settings.answers.empty()) CHECK((window.end.node_iterations >= at || of_itself));
    CHECK(window.end.round >= before.round);
    CHECK(window.end.node_iterations >= before.node_iterations);
    CHECK(window.end.epoch >= before.epoch);
    CHECK(window.end.time >= before.time);
    CHECK(window.end.bytes_sent >= before.bytes_sent);
    all.append(window);
    if (window.asks) window.answers->push_back(answer_of(asked++));
    before = window.end;
    at = limit(before.node_iterations);
  }
  CHECK(ended);
  all.payloads = source.most_payloads();
  return all;
}

void check_same(resolved_plan const &cut, resolved_plan const &whole) {
  REQUIRE(cut.operations.size() == whole.operations.size());
  for (std::size_t k = 0; k < whole.operations.size(); ++k) {
    CAPTURE(k);
    REQUIRE(cut.operations[k] == whole.operations[k]);
  }
  words ends[2];
  add(ends[0], cut.ends.back());
  add(ends[1], whole.ends.back());
  CHECK(ends[0] == ends[1]);
  CHECK(cut.payloads == whole.payloads);
  CHECK(cut.scalars == whole.scalars);
}

limits every(std::uint64_t step) {
  return [step](std::uint64_t reached) { return (reached / step + 1) * step; };
}
limits at_random(std::uint32_t seed, std::uint64_t most) {
  return [most, random = std::minstd_rand(seed)](std::uint64_t reached) mutable {
    return reached + random() % most;
  };
}

std::uint64_t at_once(std::uint64_t) {
  return plan_window::no_limit;
}
std::uint64_t one_by_one(std::uint64_t) {
  return 0;
}

template <class Exchange, class Compute>
void check_limits(Exchange const &exchange, graph const &g, virtual_clock<Compute> const &clock,
                  plan_settings settings) {
  std::size_t const n = g.nodes();
  settings.row_bytes = 500;
  settings.columns = 125;
  settings.cadences = {{7}, {2 * n}};
  auto const with = [&](limits const &limit) {
    return planned(exchange, g, clock, settings, limit);
  };
  auto const whole = with(&at_once);
  auto const check = [&](limits const &limit) {
    auto const cut = with(limit);
    CHECK(cut.ends.size() > whole.ends.size());
    check_same(cut, whole);
  };
  check(&one_by_one);
  check(every(1));
  check(every(5));
  check(every(n));
  for (std::uint32_t seed = 1; seed < 6; ++seed) check(at_random(seed, 3 * n));
}

virtual_clock<lognormal_time> clock_with(contention how) {
  return {.compute = {.mean = compute, .cv = 0.3},
          .network = slow_link,
          .slow = {{1, 4.0, virtual_time(25'000'000), virtual_time(70'000'000)}},
          .contention = how};
}

template <class Exchange>
void check_limits(Exchange const &exchange, graph const &g, contention how = contention::none) {
  CAPTURE(Exchange::name, static_cast<int>(how));
  check_limits(exchange, g, clock_with(how), rounds_of(g.nodes(), 15));
}

}  // namespace

TEST_CASE("limits cut a plan and change no operation of it", "[plan]") {
  graph const seven = complete{7}.build(), nine = ring{9}.build();
  check_limits(d_psgd<>{}, nine);
  check_limits(ad_psgd{}, seven);
  check_limits(epidemic_learning{}, nine);  // a matrix a round
  check_limits(gossip_learning{.period = virtual_time(7'000'000)}, seven);
  check_limits(choco_sgd<>{}, nine);  // messages in rounds
  check_limits(div_share{}, seven);   // fragments
  check_limits(parameter_server{}, seven);
  check_limits(fed_avg{.local_steps = 2}, seven);  // sums
  check_limits(clipped_gossip<>{}, nine);          // scalars
  CAPTURE("scalars_by_event");
  check_limits(scalars_by_event{}, seven, clock_with(contention::none), rounds_of(7, 15));
}

TEST_CASE("limits change no operation where messages share the network", "[plan]") {
  graph const seven = complete{7}.build(), nine = ring{9}.build();
  for (auto const how : {contention::fifo_nic, contention::fair_share}) {
    check_limits(d_psgd<>{}, nine, how);
    check_limits(ad_psgd{}, seven, how);
    check_limits(gossip_learning{.period = virtual_time(7'000'000)}, seven, how);
  }
}

TEST_CASE("limits change no operation where a plan waits for answers", "[plan]") {
  graph const nine = ring{9}.build();
  stop_at<d_psgd<>> const stops{{}, measured::accuracy, answer_of(4), 2};
  check_limits(stops, nine);  // questions are answered as windows are taken
  auto settings = rounds_of(9, 15);
  for (std::size_t k = 0; k < 5; ++k) settings.answers.push_back(answer_of(k));
  check_limits(stops, nine, clock_with(contention::none), settings);
  auto const all = planned(stops, nine, clock_with(contention::none), settings, every(9));
  CHECK(all.ends.back().node_iterations == 5 * 2 * 9);
}

TEST_CASE("a window ends with the round that comes to the limit", "[plan]") {
  graph const g = ring{5}.build();
  virtual_clock const clock{.compute = constant_time{}, .network = instant()};
  planner<d_psgd<>> source(d_psgd<>{}, g, clock, rounds_of(5, 12));
  plan_window window;
  auto const end = [&](std::uint64_t limit) {
    REQUIRE(source.next(window, limit));
    return window.end.node_iterations;
  };
  CHECK(end(0) == 5);
  CHECK(end(1) == 10);  // reached already: one round
  CHECK(end(11) == 15);
  CHECK(end(25) == 25);
  CHECK(end(26) == 30);
  CHECK(end(51) == 50);  // four trainings a node
  CHECK_FALSE(window.is_last());
  CHECK(end(60) == 60);
  CHECK(window.is_last());
  CHECK(window.end.round == 12);
  CHECK_FALSE(source.next(window, 99));
}

TEST_CASE("a window ends with the event that comes to the limit", "[plan]") {
  graph const g = complete{5}.build();
  virtual_clock const clock{.compute = lognormal_time{}, .network = slow_link};
  planner<ad_psgd> source(ad_psgd{}, g, clock, rounds_of(5, 12));
  plan_window window;
  auto const end = [&](std::uint64_t limit) {
    REQUIRE(source.next(window, limit));
    return window.end.node_iterations;
  };
  CHECK(end(0) == 1);
  CHECK(end(1) == 2);
  CHECK(end(3) == 3);
  CHECK(end(17) == 17);
  CHECK(end(60) == 37);  // 20 more have begun
  CHECK(end(59) == 59);
  CHECK_FALSE(window.is_last());
  CHECK(end(60) == 60);
  CHECK(window.is_last());
  CHECK_FALSE(source.next(window, 99));
}
