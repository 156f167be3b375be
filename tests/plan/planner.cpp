// The planner: order of events, counts, rates, windows, observations, and what it refuses.
#include <gossip/clock/lognormal_time.hpp>
#include <gossip/exchange/ad_psgd.hpp>
#include <gossip/exchange/all_reduce.hpp>
#include <gossip/exchange/d_psgd.hpp>
#include <gossip/topology/complete.hpp>
#include <gossip/topology/ring.hpp>

#include <algorithm>
#include <vector>

#include "exchanges.hpp"
#include "plans.hpp"

using namespace gossip::test;
using namespace std::chrono_literals;
using gossip::mixing_order;
using gossip::node;
using gossip::observation;
using gossip::operation;
using gossip::operation_kind;
using gossip::plan_window;
using gossip::virtual_clock;

namespace {

// Number of steps of each node.
std::vector<std::size_t> steps_of(whole_plan const &plan, std::size_t nodes) {
  std::vector<std::size_t> count(nodes, 0);
  for (operation const &o : plan.stream) count[o.a] += o.steps();
  return count;
}

// Means over each node's steps of the number of averages by others since the gradient was taken.
std::vector<double> passive_averages(whole_plan const &plan, std::size_t nodes) {
  std::vector<double> waiting(nodes, 0), all(nodes, 0), steps(nodes, 0);
  for (operation const &o : plan.stream) {
    if (o.kind() == operation_kind::train) waiting[o.a] = 0;
    if (gossip::applies<gossip::op::mean_of_two>(o)) ++waiting[o.b()];
    if (o.kind() == operation_kind::step) {
      all[o.a] += waiting[o.a];
      ++steps[o.a];
    }
  }
  for (std::size_t i = 0; i < nodes; ++i) all[i] /= steps[i];
  return all;
}

}  // namespace

TEST_CASE("a window numbers its matrices as they first come", "[plan]") {
  gossip::mixing_matrix const a({0, 1}, {0}, {1.0}), b({0, 1}, {0}, {1.0});
  plan_window window;
  CHECK(window.number_of(a, true) == 0);
  CHECK(window.number_of(b, false) == 1);
  CHECK(window.number_of(a, true) == 0);
  CHECK(window.number_of(b, false) == 1);
  CHECK(window.matrices[0] == &a);
  CHECK(window.matrices[1] != &b);  // a copy
}

TEST_CASE("trainings that end together end in the order of their nodes", "[plan]") {
  std::vector<node> finished;
  whole_plan_of(note_events{&finished}, gossip::ring{4}.build(), rounds_of(4, 3));
  CHECK(finished == std::vector<node>{0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3});
}

TEST_CASE("a node twice as slow trains half as often", "[plan]") {
  std::vector<node> finished;
  virtual_clock const clock{
      .compute = gossip::constant_time{}, .network = instant(), .slow = {{0, 2.0}}};
  whole_plan_of(note_events{&finished}, gossip::ring{3}.build(), clock, rounds_of(3, 5));
  // At 20 ms nodes 0, 1 and 2 end together, and so on.
  CHECK(finished == std::vector<node>{1, 2, 0, 1, 2, 1, 2, 0, 1, 2, 1, 2, 0, 1, 2});
}

TEST_CASE("equal speeds give equal numbers of steps", "[plan]") {
  for (std::size_t const n : {1, 2, 3, 17}) {
    auto const plan =
        whole_plan_of(gossip::ad_psgd{}, gossip::complete{n}.build(), rounds_of(n, 50));
    for (std::size_t const steps : steps_of(plan, n)) CHECK(steps == 50);
  }
  virtual_clock const jitter{.compute = gossip::lognormal_time{.cv = 0.01}, .network = instant()};
  auto const plan =
      whole_plan_of(gossip::ad_psgd{}, gossip::complete{8}.build(), jitter, rounds_of(8, 50));
  for (std::size_t const steps : steps_of(plan, 8)) CHECK(steps == Approx(50).margin(1));
}

TEST_CASE("a slow node's gradient is as stale as the others are quick", "[plan]") {
  // In ten trainings' time each of 15 others picks it ten times with probability 1/15.
  constexpr std::size_t n = 16;
  virtual_clock const clock{
      .compute = gossip::constant_time{}, .network = instant(), .slow = {{0, 10.0}}};
  auto const plan =
      whole_plan_of(gossip::ad_psgd{}, gossip::complete{n}.build(), clock, rounds_of(n, 4000));
  auto const stale = passive_averages(plan, n);
  CHECK(stale[0] == Approx(10.0).margin(0.6));  // 427 steps of standard deviation 3.1
  for (node i = 1; i < n; ++i) CHECK(stale[i] == Approx((14 + 0.1) / 15).margin(0.08));
}

TEST_CASE("200,000 events of AD-PSGD leave no node behind", "[plan]") {
  virtual_clock const clock{.compute = gossip::lognormal_time{.cv = 1.0}};
  auto const plan =
      whole_plan_of(gossip::ad_psgd{}, gossip::ring{5}.build(), clock, rounds_of(5, 40'000));
  for (std::size_t const steps : steps_of(plan, 5)) CHECK(steps == Approx(40'000).epsilon(0.05));
}

TEST_CASE("a run has the node-iterations asked for, in rounds as many as fill the last", "[plan]") {
  auto const check = [](auto const &exchange, std::size_t n, std::size_t of_round = 1) {
    std::size_t const expected = (7 * n + of_round - 1) / of_round * of_round;
    auto const plan = whole_plan_of(exchange, gossip::ring{n}.build(), rounds_of(n, 7));
    CHECK(plan.trainings == expected);
    CHECK(plan.end.node_iterations == expected);
    double const epochs = static_cast<double>(expected) / static_cast<double>(n);
    CHECK(plan.end.epoch == Approx(epochs).epsilon(1e-12));
  };
  for (std::size_t const n : {1, 2, 3, 17}) {
    check(gossip::ad_psgd{}, n);
    check(gossip::all_reduce{}, n);
    check(gossip::d_psgd<>{}, n);
    check(two_a_round{}, n, 2 * n);
    check(even_nodes{}, n, (n + 1) / 2);
  }
}

TEST_CASE("every step knows its number and the rate of its epoch", "[plan]") {
  auto settings = rounds_of(4, 6);
  settings.rate = [](double epoch) { return epoch < 3 ? 1.0 : 0.25; };
  auto const check = [&](auto const &exchange) {
    auto const plan = whole_plan_of(exchange, gossip::ring{4}.build(), settings);
    std::vector<std::uint64_t> steps(4, 0);
    for (operation const &o : plan.stream) {
      if (!o.steps()) continue;
      CHECK(o.step_number() == ++steps[o.a]);
      CHECK(o.rate() == (steps[o.a] <= 3 ? 1.0 : 0.25));
    }
    CHECK(steps == std::vector<std::uint64_t>(4, 6));
  };
  check(gossip::d_psgd<>{});  // one rate for all nodes of a round
  check(gossip::d_psgd<>{.order = mixing_order::adapt_then_combine});
  check(gossip::ad_psgd{});
}

TEST_CASE("all-reduce steps at the rate of its round", "[plan]") {
  auto settings = rounds_of(4, 6);
  settings.rate = [](double epoch) { return epoch < 3 ? 1.0 : 0.25; };
  auto const plan = whole_plan_of(gossip::all_reduce{}, gossip::ring{4}.build(), settings);
  std::uint64_t steps = 0;
  for (operation const &o : plan.stream)
    if (o.kind() == operation_kind::reduce) {
      CHECK(o.reduce().step_number == ++steps);
      CHECK(o.rate() == (steps <= 3 ? 1.0 : 0.25));
    }
  CHECK(steps == 6);
}

TEST_CASE("a step is part of its training only where gradients do not wait", "[plan]") {
  auto const g = gossip::ring{4}.build();
  auto const atc = whole_plan_of(gossip::d_psgd<>{.order = mixing_order::adapt_then_combine}, g,
                                 rounds_of(4, 5));
  CHECK(atc.count(operation_kind::step) == 0);
  CHECK(std::ranges::count_if(atc.stream, [](auto const &o) {
          return o.kind() == operation_kind::train && o.train().steps();
        }) == 20);
  auto const cta = whole_plan_of(gossip::d_psgd<>{}, g, rounds_of(4, 5));
  CHECK(cta.count(operation_kind::step) == 20);
  CHECK(std::ranges::none_of(cta.stream, [](auto const &o) {
    return o.kind() == operation_kind::train && o.train().steps();
  }));
}

TEST_CASE("an exchange that says its gradients do not wait must keep to it", "[plan]") {
  auto const plan = [](bool reads) {
    whole_plan_of(waits_after_all{reads}, gossip::ring{3}.build(), rounds_of(3, 2));
  };
  std::string const sentence =
      "exchange: node 0 steps by a gradient that had to wait, but its properties say that no "
      "gradient waits";
  CHECK_THROWS_WITH(plan(false), sentence);
  CHECK_THROWS_WITH(plan(true), sentence);  // node 1 would read what node 0 is after its step
}

TEST_CASE("an exchange's properties are those of its object, but for its rows", "[plan]") {
  CHECK(gossip::properties_of(gossip::ad_psgd{}).gradient_waits);
  CHECK_FALSE(gossip::properties_of(gossip::all_reduce{}).gradient_waits);
  CHECK(gossip::replicas_identical<gossip::all_reduce>);
  CHECK_FALSE(gossip::replicas_identical<gossip::d_psgd<>>);
  auto const steps = [](says_late const &exchange) {
    return whole_plan_of(exchange, gossip::ring{3}.build(), rounds_of(3, 2))
        .count(operation_kind::step);
  };
  CHECK(steps({.waits = true}) == 6);
  CHECK(steps({.waits = false}) == 0);  // within their trainings
  CHECK_THROWS_WITH(steps({.shared = true}),
                    "exchange: properties: expected replicas_identical as a constant, of static "
                    "constexpr properties(), got true where the type has false");
}

TEST_CASE("a step needs a gradient of its own", "[plan]") {
  auto const plan = [](bool before) {
    whole_plan_of(steps_too_often{before}, gossip::ring{3}.build(), rounds_of(3, 2));
  };
  CHECK_THROWS_WITH(plan(true), "exchange: node 1 steps before it has trained");
  CHECK_THROWS_WITH(plan(false), "exchange: node 2 steps twice by one gradient");
}

TEST_CASE("an exchange that ends before the run does is refused", "[plan]") {
  auto const plan = [](auto const &exchange) {
    whole_plan_of(exchange, gossip::ring{3}.build(), rounds_of(3, 2));
  };
  CHECK_THROWS_WITH(plan(idle_rounds{}),
                    "exchange: on_round trains no node in round 0, so the run would never end");
  CHECK_THROWS_WITH(plan(one_training{}),
                    "exchange: after 3 of 6 node-iterations no node trains any more; on_trained "
                    "must train again");
  CHECK_THROWS_WITH(plan(no_start{}), contains("after 0 of 6 node-iterations"));
}

TEST_CASE("an exchange's state belongs to its node and outlives windows", "[plan]") {
  auto const plan = whole_plan_of(local_steps{}, gossip::complete{5}.build(), rounds_of(5, 30));
  CHECK(plan.count(operation_kind::columns) == 5 * 10);
}

TEST_CASE("a window holds four trainings a node and does not grow", "[plan]") {
  auto const g = gossip::complete{10}.build();
  virtual_clock const clock{.compute = gossip::lognormal_time{}};
  gossip::planner<gossip::ad_psgd> planner(gossip::ad_psgd{}, g, clock, rounds_of(10, 400));
  plan_window window;
  std::size_t room = 0;
  for (int k = 0; planner.next(window); ++k) {
    std::size_t const trainings = static_cast<std::size_t>(std::ranges::count_if(
        window.stream, [](auto const &o) { return o.kind() == operation_kind::train; }));
    CHECK(trainings <= 40);
    CHECK(window.stream.size() <= 121);  // three operations an event, one observation
    if (k == 3) room = window.stream.capacity();
    if (k > 3) CHECK(window.stream.capacity() == room);
  }
  CHECK(room > 0);
}

TEST_CASE("observations come at the start, as soon as they are due and at the end", "[plan]") {
  auto const due = [](auto const &exchange, std::vector<gossip::cadence> cadences) {
    auto settings = rounds_of(3, 5);
    settings.cadences = std::move(cadences);
    std::vector<std::pair<std::uint64_t, std::uint64_t>> seen;  // node-iterations, cadences
    auto const plan = whole_plan_of(exchange, gossip::complete{3}.build(), settings);
    for (observation const &o : plan.observations) {
      seen.emplace_back(o.mark.node_iterations, o.due);
      CHECK(o.last == (&o == &plan.observations.back()));
    }
    CHECK(plan.count(operation_kind::observe) == seen.size());
    return seen;
  };
  using list = std::vector<std::pair<std::uint64_t, std::uint64_t>>;
  CHECK(due(gossip::ad_psgd{}, {}) == list{{15, 0}});
  CHECK(due(gossip::ad_psgd{}, {{6}}) == list{{0, 1}, {6, 1}, {12, 1}, {15, 1}});
  CHECK(due(gossip::ad_psgd{}, {{9, 2}}) == list{{0, 1}, {5, 1}, {9, 1}, {15, 1}});  // 13.5
  CHECK(due(gossip::d_psgd<>{}, {{6}, {9}}) == list{{0, 3}, {6, 1}, {9, 2}, {12, 1}, {15, 3}});
  CHECK(due(gossip::d_psgd<>{}, {{1}}) == list{{0, 1}, {3, 1}, {6, 1}, {9, 1}, {12, 1}, {15, 1}});
  CHECK(due(gossip::ad_psgd{}, {{1, 1000}}).size() == 16);
}

TEST_CASE("observing changes no operation", "[plan]") {
  auto const g = gossip::complete{6}.build();
  virtual_clock const clock{.compute = gossip::lognormal_time{}};
  auto settings = rounds_of(6, 12);
  auto const plain = whole_plan_of(gossip::ad_psgd{}, g, clock, settings);
  settings.cadences = {{1}};
  auto observed = whole_plan_of(gossip::ad_psgd{}, g, clock, settings).stream;
  std::erase_if(observed, [](auto const &o) { return o.kind() == operation_kind::observe; });
  REQUIRE(observed.size() == plain.stream.size() - 1);
  for (std::size_t k = 0; k < observed.size(); ++k) {
    REQUIRE(observed[k].does_as(plain.stream[k]));
  }
}

TEST_CASE("between two marks a run stands in proportion to its trainings", "[plan]") {
  auto const g = gossip::ring{2}.build();
  virtual_clock const clock{.compute = gossip::constant_time{}, .network = instant()};
  gossip::planner<gossip::d_psgd<>> planner(gossip::d_psgd<>{}, g, clock, rounds_of(2, 8));
  plan_window first, second;
  REQUIRE(planner.next(first));
  REQUIRE(planner.next(second));
  auto const half = second.between(first.end, 4);
  CHECK(half.round == 6);
  CHECK(half.node_iterations == 12);
  CHECK(half.time == 60ms);
  CHECK(second.between(first.end, 0).node_iterations == first.end.node_iterations);
  CHECK(second.between(first.end, 8).node_iterations == 16);
}

TEST_CASE("an average of AD-PSGD keeps 14/15 of the distance between 16 nodes", "[plan]") {
  // 1 - 1/(n-1) where the next node is uniformly random, as with exponential times.
  constexpr std::size_t n = 16, events = 10'000;
  virtual_clock const clock{.compute = exponential_time{}, .network = instant()};
  auto const plan = whole_plan_of(gossip::ad_psgd{}, gossip::complete{n}.build(), clock,
                                  rounds_of(n, events / n));
  std::vector<double> x(n);
  double sum = 0, square_sum = 0, mean_ratio = 0;
  std::size_t averages = 0;
  for (operation const &o : plan.stream) {
    if (!gossip::applies<gossip::op::mean_of_two>(o)) continue;
    if (averages++ % 250 == 0)  // before rounding shows
      for (std::size_t i = 0; i < n; ++i) x[i] = i == averages % n ? 15.0 : -1.0;
    auto const distance = [&] {
      sum = square_sum = 0;
      for (double const value : x) {
        sum += value;
        square_sum += value * value;
      }
      return square_sum;  // the mean is 0
    };
    double const before = distance();
    x[o.a] = x[o.b()] = (x[o.a] + x[o.b()]) / 2;
    mean_ratio += distance() / before;
    CHECK(sum == Approx(0).margin(1e-12));
  }
  CHECK(mean_ratio / static_cast<double>(averages) == Approx(14.0 / 15).margin(0.004));
}
