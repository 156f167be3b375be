// Plans of networks that go on without nodes that are down, for a while or for good.
#include <gossip/clock/lognormal_time.hpp>
#include <gossip/exchange/ad_psgd.hpp>
#include <gossip/exchange/all_reduce.hpp>
#include <gossip/exchange/buffered_gossip.hpp>
#include <gossip/exchange/d_psgd.hpp>
#include <gossip/exchange/epidemic_learning.hpp>
#include <gossip/exchange/fed_avg.hpp>
#include <gossip/exchange/gossip_learning.hpp>
#include <gossip/exchange/mosaic.hpp>
#include <gossip/exchange/none.hpp>
#include <gossip/exchange/overlapped_ad_psgd.hpp>
#include <gossip/exchange/parameter_server.hpp>
#include <gossip/exchange/push_sum.hpp>
#include <gossip/exchange/relay_sgd.hpp>
#include <gossip/exchange/running_sums_push_sum.hpp>
#include <gossip/exchange/slow_mo.hpp>
#include <gossip/exchange/softsync.hpp>
#include <gossip/exchange/swift.hpp>
#include <gossip/exchange/synchronous_server.hpp>
#include <gossip/topology/complete.hpp>
#include <gossip/topology/ring.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "plans.hpp"

using namespace gossip::test;
using namespace std::chrono_literals;
using gossip::after_outage;
using gossip::contention;
using gossip::node;
using gossip::outages;
using gossip::virtual_clock;
using gossip::virtual_time;

namespace {
namespace excluding {

/// Messages that take 300 us each; links said apart have activities ahead.
virtual_clock<gossip::lognormal_time> clock_with(outages const &down, double cv,
                                                 contention how = contention::none,
                                                 bool apart = false) {
  return {.compute = {.mean = compute, .cv = cv},
          .network = wide_link(),
          .contention = how,
          .links = wide_links(apart),
          .outages = down};
}

outages going_on(outages of) {
  of.then = after_outage::go_on;
  return of;
}
outages timing_out(outages of, virtual_time timeout) {
  of.then = after_outage::time_out;
  of.timeout = timeout;
  return of;
}

/// Node 1 sends its model to node 0, which hears nothing of it that it would keep.
struct whispers {
  bool at_no_cost;

  void on_round(auto &plan, gossip::round_number) const {
    plan.train_all();
    plan.step_all();
    if (at_no_cost)
      plan.at_no_cost([&] { plan.send(1, 0, {{1, gossip::model_row}}); });
    else
      plan.send(1, 0, {{1, gossip::model_row}});
    plan.deliver();
  }
  void on_message(auto &, node, auto const &) const {}

  static constexpr gossip::exchange_properties properties() {
    return {.tolerates_loss = true, .tolerates_absence = true};
  }
};

outages const rough{.listed = {{2, 20ms, 90ms}},
                    .churn = {.up = 60ms, .down = 15ms},
                    .nights = {.day = 100ms, .down = 10ms},
                    .cuts = {{{1, 4, 5}, 30ms, 50ms}}};
outages const crash{.listed = {{.which = 2, .from = 25ms}}};

gossip::d_psgd<> const combine_then_adapt{};
gossip::d_psgd<> const adapt_then_combine{.order = gossip::mixing_order::adapt_then_combine};

/// A plan with outages has all trainings, whose ends and messages are those of nodes that are up.
template <class Exchange>
whole_plan check_excludes(Exchange const &exchange, gossip::graph const &g, outages const &down,
                          contention how = contention::none, bool apart = false) {
  CAPTURE(Exchange::name, static_cast<int>(down.then), static_cast<int>(how));
  gossip::timeline times(g.nodes() + gossip::exchange_servers<Exchange>, g.nodes());
  auto const plan = plan_on(clock_with(down, 0.3, how, apart), exchange, g, 12, &times);
  CHECK(plan.trainings >= 12 * g.nodes());
  CHECK(plan.trainings < 14 * g.nodes());  // the last round is whole
  gossip::up_times const up(down, g.nodes(), rounds_of(1, 1).seed);
  std::uint64_t bytes = 0;
  for (gossip::timed_activity const &one : times.take_activities()) {
    if (one.is_training()) {
      CHECK(up.up_from(one.who, one.end - 1ns) == one.end - 1ns);
    } else {
      CHECK(up.both_up(one.who, one.to, one.begin) == one.begin);
      bytes += one.bytes;
    }
  }
  if (how == contention::none) CHECK(bytes == plan.end.bytes_sent);
  return plan;
}

template <class Exchange>
void check_in_rounds(Exchange const &exchange, gossip::graph const &g,
                     bool waits_for_none = false) {
  CAPTURE(Exchange::name);
  auto const waiting = check_excludes(exchange, g, rough);
  auto const free = check_excludes(exchange, g, going_on(rough));
  check_excludes(exchange, g, timing_out(rough, 2ms));
  if (!waits_for_none) CHECK(free.end.time < waiting.end.time);
  // Who waits for an hour sees all come back.
  auto const patient = check_excludes(exchange, g, timing_out(rough, 1h));
  check_same(patient, waiting);
  // Nobody is down: nothing is different.
  auto const calm = plan_on(clock_with({}, 0.3), exchange, g);
  check_same(plan_on(clock_with(going_on({}), 0.3), exchange, g), calm);
  outages const late{.listed = {{0, 100h, 101h}}};
  check_same(plan_on(clock_with(going_on(late), 0.3), exchange, g), calm);
  check_same(plan_on(clock_with(timing_out(late, 2ms), 0.3), exchange, g), calm);
  // Nor do losses of messages move.
  auto lossy = clock_with({}, 0.3);
  lossy.loss = {.share = 0.2, .then = gossip::after_loss::go_on};
  auto const lost = plan_on(lossy, exchange, g);
  lossy.outages = going_on(late);
  check_same(plan_on(lossy, exchange, g), lost);
  // One is down for good.
  for (auto const &then : {going_on(crash), timing_out(crash, 2ms)}) {
    gossip::timeline times(g.nodes() + gossip::exchange_servers<Exchange>, g.nodes());
    auto const left = plan_on(clock_with(then, 0.3), exchange, g, 12, &times);
    CHECK(left.trainings >= 12 * g.nodes());
    CHECK(left.trainings < 14 * g.nodes());  // the last round is whole
    for (gossip::timed_activity const &one : times.take_activities())
      if (one.who == 2) CHECK(one.begin <= 25ms);
  }
  CHECK_THROWS_WITH(plan_on(clock_with(crash, 0.3), exchange, g),
                    "clock: outages: all wait for node 2, which is down for good; expected then as "
                    "time_out or go_on, where the exchange tolerates it");
}

/// known: its messages begin when it is known what came before, with contention too.
template <class Exchange>
void check_in_events(Exchange const &exchange, gossip::graph const &g, bool known = true) {
  for (auto const &then : {going_on(rough), timing_out(rough, 2ms)}) {
    auto const alone = check_excludes(exchange, g, then);
    for (auto const how : {contention::none, contention::fifo_nic, contention::fair_share})
      if (known) check_same(check_excludes(exchange, g, then, how, true), alone);
  }
  auto const calm = plan_on(clock_with({}, 0.3), exchange, g);
  outages const late{.listed = {{0, 100h, 101h}}};
  check_same(plan_on(clock_with(going_on(late), 0.3), exchange, g), calm);
  // One is down for good: others have its trainings.
  for (auto const &then : {crash, going_on(crash), timing_out(crash, 2ms)})
    for (bool const apart : {false, true}) {
      if (apart && !known) continue;
      auto const left = plan_on(clock_with(then, 0.3, contention::none, apart), exchange, g);
      CHECK(left.trainings == 12 * g.nodes());
    }
}

}  // namespace excluding
}  // namespace

using excluding::clock_with;
using excluding::crash;
using excluding::going_on;
using excluding::timing_out;

TEST_CASE("rounds go on without nodes that are down", "[plan]") {
  auto const ring = gossip::ring{7}.build(), complete = gossip::complete{7}.build();
  excluding::check_in_rounds(excluding::combine_then_adapt, ring);
  excluding::check_in_rounds(excluding::adapt_then_combine, ring);
  excluding::check_in_rounds(gossip::d_psgd<>{.wait = gossip::barrier::global}, ring);
  excluding::check_in_rounds(gossip::push_sum<>{}, ring);
  excluding::check_in_rounds(gossip::running_sums_push_sum<>{}, ring);
  excluding::check_in_rounds(gossip::relay_sgd{}, ring);
  excluding::check_in_rounds(gossip::epidemic_learning{}, complete);
  excluding::check_in_rounds(gossip::fed_avg{.local_steps = 2}, complete);
  excluding::check_in_rounds(gossip::mosaic{{.peers = 2}, 3}, complete);
  excluding::check_in_rounds(gossip::none{}, ring, true);
}

TEST_CASE("events go on without nodes that are down", "[plan]") {
  auto const ring = gossip::ring{7}.build(), complete = gossip::complete{7}.build();
  excluding::check_in_events(gossip::ad_psgd{}, ring);
  excluding::check_in_events(gossip::ad_psgd{}, complete);
  excluding::check_in_events(gossip::gossip_learning{}, complete);
  excluding::check_in_events(gossip::buffered_gossip{}, complete);
  excluding::check_in_events(gossip::swift<>{}, ring);
  excluding::check_in_events(gossip::overlapped_ad_psgd{}, complete, false);
}

// Node 3 is down from the middle of its third training on, of which its neighbours know when its
// model does not come; then rounds go on without it, with four trainings each.
TEST_CASE("a round in which node 3 is down takes a timeout longer, and later ones do not",
          "[plan]") {
  auto const g = gossip::ring{5}.build();
  outages const down{.listed = {{3, 25ms, 1s}}};
  auto const took = [&](gossip::d_psgd<> const &exchange, outages const &of) {
    return plan_on(clock_with(of, 0.0), exchange, g).end.time;
  };
  virtual_time const round = compute + 300us;
  CHECK(took(excluding::adapt_then_combine, going_on(down)) == (3 + 12) * round);
  for (auto const timeout : {1ms, 50ms, 400ms})  // from 3 rounds less 300 us on
    CHECK(took(excluding::adapt_then_combine, timing_out(down, timeout)) ==
          3 * round - 300us + timeout + 12 * round);
  // Models of combine-then-adapt were sent before it went down.
  CHECK(took(excluding::combine_then_adapt, going_on(down)) == (3 + 12) * compute);
  CHECK(took(excluding::combine_then_adapt, timing_out(down, 50ms)) == (3 + 12) * compute);
  // It is back in time: what it had left of its training, 5.6 ms, comes after its rest.
  auto const waits = took(excluding::adapt_then_combine, down);
  CHECK(waits == 1s + 5'600us + 300us + 9 * round);
  CHECK(took(excluding::adapt_then_combine, timing_out(down, 975ms)) == waits);
  // Its message is given up, but it is back in time for the next round.
  CHECK(took(excluding::adapt_then_combine, timing_out(down, 900ms)) == 1s + 5'600us + 9 * round);
}

// Rounds of 10.3 ms; node 3 rests from 25 to 100 ms, has finished at 105.6 ms, and takes part in
// the first round that begins after that.
TEST_CASE("a node that crashes in a training is missed as one that is back an hour later",
          "[plan]") {
  // The training is not one of the run's if it never ends.
  auto const end_of = [](auto const &exchange, virtual_time until, std::uint64_t trainings,
                         virtual_time timeout) {
    auto settings = rounds_of(5, 3);
    settings.node_iterations = trainings;
    settings.row_bytes = settings.message_bytes;
    auto const clock = excluding::clock_with(
        timeout > 0ns ? excluding::timing_out({.listed = {{3, 25ms, until}}}, timeout)
                      : excluding::going_on({.listed = {{3, 25ms, until}}}),
        0.0);
    return whole_plan_of(exchange, gossip::ring{5}.build(), clock, settings).end;
  };
  auto const check = [&](auto const &exchange) {
    for (virtual_time const timeout : {0ms, 50ms}) {
      auto const gone = end_of(exchange, virtual_time::max(), 14, timeout);
      auto const back = end_of(exchange, 1h, 15, timeout);
      CHECK(gone.time == back.time);
      CHECK(gone.bytes_sent == back.bytes_sent);
      CHECK(gone.time >= 2 * (compute + 300us) + timeout);
    }
  };
  check(excluding::adapt_then_combine);
  check(gossip::d_psgd<>{.order = gossip::mixing_order::adapt_then_combine,
                         .wait = gossip::barrier::global});
  check(gossip::epidemic_learning{});
  check(gossip::push_sum<>{});
  check(gossip::running_sums_push_sum<>{});
  check(gossip::relay_sgd{});
}

TEST_CASE("a node that is back joins the next round that begins", "[plan]") {
  auto const g = gossip::ring{5}.build();
  gossip::timeline times(5, 5);
  plan_on(clock_with(going_on({.listed = {{3, 25ms, 100ms}}}), 0.0), excluding::adapt_then_combine,
          g, 20, &times);
  std::vector<virtual_time> begins, others;
  for (gossip::timed_activity const &one : times.take_activities()) {
    if (one.is_training() && one.who == 3) begins.push_back(one.begin);
    if (one.is_training() && one.who == 1) others.push_back(one.begin);
  }
  virtual_time const round = compute + 300us;
  REQUIRE(begins.size() > 6);
  for (std::size_t k = 0; k < 3; ++k) CHECK(begins[k] == static_cast<int>(k) * round);
  for (std::size_t k = 3; k < begins.size(); ++k)
    CHECK(begins[k] == static_cast<int>(k + 8) * round);  // rounds 3 to 10 are not its own
  for (std::size_t k = 0; k < others.size(); ++k) CHECK(others[k] == static_cast<int>(k) * round);
}

TEST_CASE("who waits for a partner that is down does so for the timeout", "[plan]") {
  auto const pair = gossip::complete{2}.build();
  // Both are free at 10 ms; node 1 is down then, and its own training rests.
  outages const down{.listed = {{1, 5ms, 1s}}};
  auto const took = [&](outages const &of) {
    return plan_on(clock_with(of, 0.0), gossip::ad_psgd{}, pair, 2).end.time;
  };
  // The end of node 1's only training, and of its average; node 0 has three.
  CHECK(took(going_on(down)) == 1s + 5ms + wide_link().latency);
  gossip::timeline times(2, 2);
  plan_on(clock_with(timing_out(down, 7ms), 0.0), gossip::ad_psgd{}, pair, 4, &times);
  std::vector<virtual_time> begins;
  for (gossip::timed_activity const &one : times.take_activities())
    if (one.is_training() && one.who == 0) begins.push_back(one.begin);
  REQUIRE(begins.size() == 7);
  for (std::size_t k = 0; k < begins.size(); ++k)
    CHECK(begins[k] == static_cast<int>(k) * (compute + 7ms));
}

TEST_CASE("nobody waits for a message at no cost that is not sent", "[plan]") {
  // Node 1 goes down in its first training, so that its first message is not sent.
  outages const down{.listed = {{1, 5ms, 1s}}};
  auto const second_training = [&](excluding::whispers const &exchange) {
    gossip::timeline times(2, 2);
    plan_on(clock_with(timing_out(down, 7ms), 0.0), exchange, gossip::complete{2}.build(), 2,
            &times);
    auto const all = times.take_activities();
    auto const one = std::ranges::find_if(
        all, [](auto const &a) { return a.is_training() && a.who == 0 && a.begin > 0ns; });
    REQUIRE(one != all.end());
    return one->begin;
  };
  CHECK(second_training({.at_no_cost = false}) == compute + 7ms);
  CHECK(second_training({.at_no_cost = true}) == compute);
}

TEST_CASE("who waits for a node that is down for good says so", "[plan]") {
  auto const pair = gossip::complete{2}.build(), g = gossip::ring{7}.build();
  outages const gone{.listed = {{.which = 1, .from = 25ms}}};
  CHECK_THROWS_WITH(plan_on(clock_with(gone, 0.0), gossip::ad_psgd{}, pair),
                    Catch::Contains("clock: outages: node 0 waits for node 1, which is down for "
                                    "good; expected then as time_out or go_on"));
  for (auto const how : {contention::none, contention::fair_share}) {
    auto const clock = clock_with(gone, 0.0, how, true);
    CHECK_THROWS_WITH(plan_on(clock, gossip::ad_psgd{}, pair),
                      Catch::Contains("node 0 waits for node 1"));
    CHECK_THROWS_WITH(plan_on(clock, gossip::all_reduce{}, g),
                      Catch::Contains("never ends: nodes wait for a node that is down for good"));
    CHECK_THROWS_WITH(plan_on(clock, gossip::synchronous_server{}, g),
                      Catch::Contains("no node trains any more"));
  }
  CHECK_THROWS_WITH(plan_on(clock_with(gone, 0.0), gossip::all_reduce{}, g),
                    Catch::Contains("all wait for node 1, which is down for good"));
  CHECK_THROWS_WITH(plan_on(clock_with(gone, 0.0), gossip::synchronous_server{}, g),
                    Catch::Contains("no node trains any more"));

  // Servers that wait for nobody in particular go on.
  for (bool const apart : {false, true}) {
    auto const clock = clock_with(gone, 0.3, contention::none, apart);
    CHECK(plan_on(clock, gossip::softsync{.collected = 2}, g).trainings == 12 * 7);
    CHECK(plan_on(clock, gossip::parameter_server{}, g).trainings == 12 * 7);
  }

  outages all;
  for (node i = 0; i < 7; ++i) all.listed.push_back({.which = i, .from = 25ms});
  CHECK_THROWS_WITH(plan_on(clock_with(going_on(all), 0.0), excluding::combine_then_adapt, g),
                    "clock: outages: all nodes are down for good");
  CHECK_THROWS_WITH(plan_on(clock_with(all, 0.0), gossip::ad_psgd{}, g),
                    Catch::Contains("no node trains any more"));
}

TEST_CASE("exchanges that need all nodes, or times that are known, refuse to go on without",
          "[plan]") {
  auto const g = gossip::ring{7}.build();
  auto const sentence = [&](auto const &exchange, contention how = contention::none) {
    try {
      plan_on(clock_with(going_on(crash), 0.0, how), exchange, g);
    } catch (gossip::input_error const &e) {
      return std::string(e.what());
    }
    return std::string("none");
  };
  std::string const of_loss =
      "clock: outages: then: expected wait, for this exchange waits for every message (its "
      "properties do not say tolerates_loss), got go_on";
  CHECK(sentence(gossip::all_reduce{}) == of_loss);
  CHECK(sentence(gossip::softsync{}) == of_loss);
  CHECK(sentence(gossip::slow_mo<>{}) ==
        "clock: outages: then: expected wait, for this exchange needs all nodes in every round "
        "(its properties do not say tolerates_absence), got go_on");
  CHECK(sentence(excluding::combine_then_adapt, contention::fifo_nic) ==
        "clock: outages: then: expected wait, for an exchange in rounds with contention or links "
        "that differ, where times are not known as rounds are planned, got go_on");
  CHECK(sentence(gossip::ad_psgd{}, contention::fifo_nic) == "none");
  CHECK_NOTHROW(plan_on(clock_with(going_on({}), 0.0), gossip::all_reduce{}, g));  // nobody is down
  CHECK_THROWS_WITH(plan_on(clock_with(timing_out({}, -1ns), 0.0), gossip::ad_psgd{}, g),
                    "clock: outages: timeout: expected 0s or more, got -1ns");
}
