// Ranks that execute their task graphs in any order, with little room, reach what the stream of the
// plan says, and never wait for each other for ever. Rows are numbers here, messages arrive when
// both ends are there, and a draw decides who goes on.
#include <gossip/engine/distributed/task_graph.hpp>

#include <gossip/aggregation/krum.hpp>
#include <gossip/clock/lognormal_time.hpp>
#include <gossip/core/random.hpp>
#include <gossip/exchange/ad_psgd.hpp>
#include <gossip/exchange/clipped_gossip.hpp>
#include <gossip/exchange/d_psgd.hpp>
#include <gossip/exchange/robust_gossip.hpp>
#include <gossip/fleet/digest.hpp>
#include <gossip/graph/partition.hpp>
#include <gossip/plan/planner.hpp>
#include <gossip/topology/random_regular.hpp>
#include <gossip/topology/star.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <tuple>
#include <vector>

#include "../exchange/row_exchanges.hpp"
#include "../exchange/scalar_exchanges.hpp"
#include "../exchange/whole_row_exchanges.hpp"
#include "catch.hpp"

namespace {

using namespace gossip;
using row = std::uint64_t;
using detail::mix_word;

/// Both verbs on pairs, in chains, one after another.
struct pairs {
  void on_trained(auto &plan, node i) const {
    node const j = plan.random_neighbor(i), k = plan.random_neighbor(j);
    plan.average(i, j);
    plan.combine(j, k, 0.25);
    if (i != k) plan.combine(i, k, 0.5);
    plan.step(i);
    plan.train(i);
  }
};

using slots = std::array<row, row_list::most_slots>;
using rows = std::vector<slots>;  // (n)

rows start(std::size_t n) {
  rows all(n);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t s = 0; s < all[i].size(); ++s) all[i][s] = mix_word(i, s);
  return all;
}

/// The written value depends on all that is read, on the operation, and on nothing else.
/// at(access): the row that an access means.
template <class At>
void execute_on(operation const &o, plan_window const &window, std::vector<row> &scalars, At at) {
  row value = 0;
  for (std::uint64_t const word : o.words()) value = mix_word(value, word);
  if (o.reads_scalars())
    for (std::size_t k = o.first_operand();; ++k) {
      operand const &one = window.operands[k];
      if (one.scalar != operand::none) value = mix_word(value, scalars[one.scalar]);
      if (one.last) break;
    }
  for (std::size_t k = 0; k < o.rows.size(); ++k)
    if (o.rows[k].reads) value = mix_word(value, at(o.rows[k]));
  for (std::size_t k = 0; k < o.rows.size(); ++k) {
    bool const later =  // a training lists the model, which only its step would move
        o.kind() == operation_kind::train && o.rows[k].slot == 0 && !o.train().steps() &&
        !o.train().goes_to_row();
    if (o.rows[k].writes && !later) at(o.rows[k]) = mix_word(value, k);
  }
  if (o.makes_scalar()) scalars[o.scalar()] = value;
}

template <class At>
row mixed(mixing_matrix const &w, node i, At at) {
  row sum = 0;
  for (node const j : w.row(i).columns) sum = mix_word(sum, at(j));
  return sum;
}

void run_stream(plan_window const &window, rows &all) {
  std::vector<row> scalars(window.scalars);
  for (operation const &o : window.stream) {
    if (o.kind() == operation_kind::mix) {
      rows const before = all;
      for (node i = 0; i < all.size(); ++i)
        all[i][o.slot()] =
            mixed(*window.matrices[o.mix().matrix], i, [&](node j) { return before[j][o.slot()]; });
    } else {
      execute_on(o, window, scalars,
                 [&](row_access const &one) -> row & { return all[o.owner(one)][one.slot]; });
    }
  }
}

/// A message between two ranks, there when both ends are.
struct message {
  bool sent = false, wanted = false;
  row value = 0;
  std::uint32_t task = 0, transfer = 0;
};

struct cluster;

/// One rank at work on a window.
struct worker {
  rank_layout layout;
  task_graph schedule;
  std::vector<std::uint32_t> ready;
  std::vector<row> arrived, scalars;
  std::size_t left = 0, free = 0, next = 0;

  worker(std::vector<std::uint32_t> const &owners, std::size_t ranks, std::size_t rank)
      : layout(owners, ranks, rank), schedule(layout, 1U << 20) {}

  void begin(plan_window const &window, halo_pattern const *halo, std::size_t room);
  void receive(cluster &all);
  void execute(cluster &all, std::uint32_t t);
  void done(cluster &all, std::uint32_t t);
  void settle(std::uint32_t t) {
    if (--schedule.tasks[t].waits == 0) ready.push_back(t);
  }
};

struct cluster {
  plan_window const &window;
  rows &state;
  std::deque<worker> &workers;
  std::map<std::tuple<std::size_t, std::size_t, std::uint32_t>, std::deque<message>> wires{};

  /// Either end of the next message of this name that lacks it.
  message &end_of(std::size_t from, std::size_t to, std::uint32_t tag, bool message::*end) {
    auto &wire = wires[{from, to, tag}];
    for (message &one : wire)
      if (!(one.*end)) return one;
    return wire.emplace_back();
  }
  void deliver(std::size_t from, std::size_t to, std::uint32_t tag) {
    auto &wire = wires[{from, to, tag}];
    if (wire.empty() || !wire.front().sent || !wire.front().wanted) return;
    message const one = wire.front();
    wire.pop_front();
    worker &taker = workers[to];
    taker.arrived[one.transfer] = one.value;
    taker.schedule.each_follower(taker.schedule.transfers[one.transfer],
                                 [&](std::uint32_t t) { taker.settle(t); });
    workers[from].done(*this, one.task);
  }
};

void worker::begin(plan_window const &window, halo_pattern const *halo, std::size_t room) {
  schedule.build(window, [&](mixing_matrix const &) { return halo; });
  left = schedule.tasks.size();
  arrived.assign(schedule.transfers.size(), 0);
  scalars.assign(window.scalars, 0);
  free = room;
  next = 0;
  ready.clear();
  for (std::uint32_t t = 0; t < schedule.tasks.size(); ++t)
    if (schedule.tasks[t].waits == 0) ready.push_back(t);
}

void worker::receive(cluster &all) {
  for (; free > 0 && next < schedule.transfers.size(); --free, ++next) {
    row_transfer const &in = schedule.transfers[next];
    message &one = all.end_of(in.source, layout.rank(), in.tag, &message::wanted);
    one.wanted = true;
    one.transfer = static_cast<std::uint32_t>(next);
    all.deliver(in.source, layout.rank(), in.tag);
  }
}

void worker::done(cluster &all, std::uint32_t t) {
  --left;
  rank_task const task = schedule.tasks[t];
  for (std::uint32_t k = 0; k < task.arrival_count; ++k)
    if (--schedule.transfers[task.arrivals + k].users == 0) ++free;
  schedule.each_follower(schedule.tasks[t], [&](std::uint32_t f) { settle(f); });
  receive(all);
}

void worker::execute(cluster &all, std::uint32_t t) {
  rank_task const task = schedule.tasks[t];
  operation const &o = task.what;
  rows &own = all.state;
  if (task.kind == task_kind::send) {
    message &one = all.end_of(layout.rank(), task.peer, task.tag, &message::sent);
    one.sent = true;
    one.task = t;
    one.value = own[o.a][o.slot()];
    return all.deliver(layout.rank(), task.peer, task.tag);
  }
  if (task.kind == task_kind::mix) {
    std::map<node, row> halo;
    for (std::uint32_t k = 0; k < task.arrival_count; ++k)
      halo[schedule.transfers[task.arrivals + k].row] = arrived[task.arrivals + k];
    std::vector<row> result;
    for (node const i : layout.own())
      result.push_back(mixed(*all.window.matrices[o.mix().matrix], i, [&](node j) {
        return layout.owns(j) ? own[j][o.slot()] : halo.at(j);
      }));
    for (std::size_t k = 0; k < result.size(); ++k) own[layout.own()[k]][o.slot()] = result[k];
  } else {
    execute_on(o, all.window, scalars, [&](row_access const &one) -> row & {
      node const i = o.owner(one);
      if (layout.owns(i)) return own[i][one.slot];
      // Of two rows of other ranks the second has come behind the first.
      bool const behind = o.reduces_others() && one.of_second && !layout.owns(o.a);
      REQUIRE(task.arrival_count >= 1U + behind);
      return arrived[task.arrivals + behind];
    });
  }
  done(all, t);
}

/// Executes a window on all ranks; false where all wait for each other.
bool run_spread(plan_window const &window, rows &state, std::deque<worker> &workers,
                keyed_random &draw) {
  cluster all{window, state, workers};
  for (worker &one : workers) one.receive(all);
  for (;;) {
    std::vector<std::size_t> able;
    std::size_t left = 0;
    for (std::size_t r = 0; r < workers.size(); ++r) {
      if (!workers[r].ready.empty()) able.push_back(r);
      left += workers[r].left;
    }
    if (left == 0) return true;
    if (able.empty()) return false;
    worker &one = workers[able[draw.below(static_cast<std::uint32_t>(able.size()))]];
    std::size_t const k = draw.below(static_cast<std::uint32_t>(one.ready.size()));
    std::uint32_t const t = one.ready[k];
    one.ready.erase(one.ready.begin() + static_cast<std::ptrdiff_t>(k));
    one.execute(all, t);
  }
}

/// least: rows for which a rank has room.
template <class Exchange>
void check_schedule(Exchange const &exchange, graph const &network, std::size_t least = 1) {
  for (std::size_t const ranks : {1, 2, 3, 5, 40})
    for (std::size_t const room : {1, 2, 50}) {
      if (room < least) continue;
      CAPTURE(ranks, room, network.nodes());
      planner<Exchange> plan(exchange, network,
                             virtual_clock<lognormal_time>{.compute = {.cv = 0.5}},
                             {.seed = 3,
                              .node_iterations = 9 * network.nodes(),
                              .epoch = {},
                              .message_bytes = 8,
                              .row_bytes = 8,
                              .optimizer_rows = 2,
                              .rate = [](double) { return 0.1; },
                              .cadences = {}});
      auto const owners = multilevel_partition(network, ranks);
      std::deque<worker> workers;
      for (std::size_t r = 0; r < ranks; ++r) workers.emplace_back(owners, ranks, r);
      rows expected = start(network.nodes()), found = expected;
      keyed_random draw(7, purpose::user, static_cast<std::uint32_t>(ranks), room);
      plan_window window;
      while (plan.next(window)) {
        // Observations, of which the last is one, touch nothing here.
        std::erase_if(window.stream,
                      [](operation const &o) { return o.kind() == operation_kind::observe; });
        run_stream(window, expected);
        std::deque<halo_pattern> halos;
        for (worker &one : workers) {
          halo_pattern const *halo = nullptr;
          if (!window.matrices.empty())
            halo = &halos.emplace_back(halo_of(*window.matrices[0], one.layout));
          one.begin(window, halo, room);
        }
        REQUIRE(run_spread(window, found, workers, draw));
        REQUIRE(found == expected);
      }
    }
}

constexpr std::size_t whole_halo = 50;  // a mixture takes its halo whole

}  // namespace

TEST_CASE("schedules of pairwise exchanges reach the stream's rows in any order", "[engine]") {
  auto const regular = random_regular{.nodes = 24, .degree = 4}.build(1);
  check_schedule(ad_psgd{}, regular);
  check_schedule(pairs{}, regular);
  check_schedule(pairs{}, star{12}.build(1));
  check_schedule(test::pairs_of_rows{}, regular);
  check_schedule(test::pairs_of_rows{}, star{12}.build(1));
}

TEST_CASE("schedules of mixtures reach the stream's rows in any order", "[engine]") {
  auto const regular = random_regular{.nodes = 24, .degree = 4}.build(1);
  check_schedule(d_psgd{}, regular, whole_halo);
  check_schedule(d_psgd<>{.order = mixing_order::adapt_then_combine}, regular, whole_halo);
  check_schedule(test::mixtures_of_rows{}, regular, whole_halo);
}

TEST_CASE("schedules of distances among others reach the stream's rows in any order", "[engine]") {
  robust_gossip<aggregation::krum> const krum{.rule = {.byzantine = 0}};
  check_schedule(krum, random_regular{.nodes = 24, .degree = 4}.build(1), 2);
  check_schedule(krum, star{12}.build(1), 2);
}

TEST_CASE("schedules of scalars reach the stream's rows in any order", "[engine]") {
  auto const regular = random_regular{.nodes = 24, .degree = 4}.build(1);
  check_schedule(test::scalars_by_event{}, regular, 2);
  check_schedule(test::scalars_by_event{}, star{12}.build(1), 2);
  check_schedule(test::scalars_in_rounds{}, regular, whole_halo);
  check_schedule(clipped_gossip<>{}, star{12}.build(1));
}

TEST_CASE("schedules of whole rows reach the stream's rows in any order", "[engine]") {
  auto const regular = random_regular{.nodes = 24, .degree = 4}.build(1);
  check_schedule(test::whole_rows_by_event{}, regular);
  check_schedule(test::whole_rows_by_event{}, star{12}.build(1));
  check_schedule(test::whole_rows_in_rounds{}, regular, whole_halo);
}

namespace {

operation pull(node i, node j) {
  return {0,
          i,
          {{0, false, true, true}, {0, true}},
          work::columns{.function = 1, .b = j, .coefficient = 0.5}};
}

}  // namespace

TEST_CASE("a row that many read crosses once while nobody writes it", "[engine]") {
  plan_window window;
  for (node i = 1; i < 6; ++i) window.stream.push_back(pull(i, 0));
  window.stream.push_back(
      {0, 0, {{0, false, true, true}}, work::step{.rate = 0.1, .step_number = 1}});
  window.stream.push_back(pull(3, 0));
  rank_layout const sender({0, 1, 1, 1, 1, 1}, 2, 0), reader({0, 1, 1, 1, 1, 1}, 2, 1);
  auto const none = [](mixing_matrix const &) -> halo_pattern const * { return nullptr; };
  task_graph sends(sender, 100), reads(reader, 100);
  sends.build(window, none);
  reads.build(window, none);
  CHECK(reads.transfers.size() == 2);
  CHECK(std::ranges::count(sends.tasks, task_kind::send, &rank_task::kind) == 2);
}

TEST_CASE("more rows between two ranks than there are tags are refused", "[engine]") {
  plan_window window;
  for (int k = 0; k < 4; ++k)
    window.stream.push_back({0,
                             0,
                             {{0, false, true, true}, {0, true, true, true}},
                             work::columns{.b = 1, .coefficient = 0.5}});
  rank_layout const first({0, 1}, 2, 0);
  task_graph schedule(first, 3);
  auto const none = [](mixing_matrix const &) -> halo_pattern const * { return nullptr; };
  CHECK_THROWS_WITH(schedule.build(window, none),
                    test::contains("expected at most 3 rows between two ranks"));
}
