// Plans of rounds in which some nodes take no part.
#include <gossip/clock/participation.hpp>
#include <gossip/exchange/ad_psgd.hpp>
#include <gossip/exchange/d_psgd.hpp>
#include <gossip/exchange/epidemic_learning.hpp>
#include <gossip/exchange/fed_avg.hpp>
#include <gossip/exchange/global_merge.hpp>
#include <gossip/exchange/gradient_tracking.hpp>
#include <gossip/exchange/none.hpp>
#include <gossip/exchange/push_sum.hpp>
#include <gossip/exchange/relay_sgd.hpp>
#include <gossip/topology/complete.hpp>
#include <gossip/topology/ring.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

#include "plans.hpp"

using namespace gossip::test;
using namespace std::chrono_literals;
using gossip::constant_time;
using gossip::contention;
using gossip::node;
using gossip::participation;
using gossip::participation_scheme;
using gossip::virtual_clock;
using gossip::virtual_time;

namespace {

virtual_clock<constant_time> rounds_with(participation const &in, contention how = contention::none,
                                         bool apart = false, gossip::outages const &down = {}) {
  return {.compute = {compute},
          .network = wide_link(),
          .slow = {{.which = 1, .factor = 3}},
          .contention = how,
          .links = wide_links(apart),
          .outages = down,
          .participation = in};
}

constexpr participation some{.scheme = participation_scheme::uniform, .share = 0.4};

/// Everybody trains, and sends, in rounds of its own alone, the last of them whole; contention
/// changes nothing.
template <class Exchange>
void check_rounds(Exchange const &exchange, gossip::graph const &g) {
  CAPTURE(Exchange::name);
  gossip::timeline times(g.nodes() + gossip::exchange_servers<Exchange>, g.nodes());
  auto const alone = plan_on(rounds_with(some), exchange, g, 12, &times);
  CHECK(alone.trainings >= 12 * g.nodes());
  CHECK(alone.trainings < 13 * g.nodes());
  for (auto const how : {contention::none, contention::fifo_nic, contention::fair_share})
    check_same(plan_on(rounds_with(some, how, true), exchange, g), alone);
  gossip::outages const rough{.listed = {{3, 15ms, 90ms}}, .churn = {.up = 70ms, .down = 15ms}};
  auto const resting = plan_on(rounds_with(some, contention::none, false, rough), exchange, g);
  for (auto const how : {contention::none, contention::fifo_nic, contention::fair_share})
    check_same(plan_on(rounds_with(some, how, true, rough), exchange, g), resting);
  std::uint64_t told = 0;
  for (gossip::timed_activity const &one : times.take_activities())
    if (!one.is_training()) told += one.bytes;
  CHECK(told == alone.end.bytes_sent);
}

}  // namespace

TEST_CASE("rounds go on without those who take no part, with contention and without", "[plan]") {
  auto const ring = gossip::ring{7}.build(), complete = gossip::complete{7}.build();
  check_rounds(gossip::d_psgd<>{}, ring);
  check_rounds(gossip::d_psgd<>{.order = gossip::mixing_order::adapt_then_combine}, ring);
  check_rounds(gossip::push_sum<>{}, ring);
  check_rounds(gossip::relay_sgd{}, ring);
  check_rounds(gossip::fed_avg{.clients = 3, .local_steps = 2}, complete);
  check_rounds(gossip::none{}, complete);
}

TEST_CASE("messages go between those who take part alone", "[plan]") {
  auto const g = gossip::complete{20}.build();
  auto const all = plan_on(rounds_with({}), gossip::d_psgd<>{}, g, 50);
  auto const few = plan_on(rounds_with(some), gossip::d_psgd<>{}, g, 50);
  // As many trainings are 1 / 0.4 times as many rounds, of 0.4 * 0.4 times as many messages.
  double const sent = static_cast<double>(few.end.bytes_sent);
  CHECK(sent / static_cast<double>(all.end.bytes_sent) == Approx(0.4).epsilon(0.1));
  // Neighbors of a ring whose nodes take turns never meet.
  participation const turns{.scheme = participation_scheme::cyclic};
  auto const even = gossip::ring{8}.build();
  CHECK(plan_on(rounds_with(turns), gossip::d_psgd<>{}, even).end.bytes_sent == 0);
  CHECK(plan_on(rounds_with(turns), gossip::relay_sgd{}, even).end.bytes_sent == 0);
}

// Nodes 0 and 2 take 10 ms, node 1, and with it 3, 30 ms: twelve rounds of four are 24 of two, in
// turns, in which no more than two send each other a model.
TEST_CASE("a round lasts as long as those who take part in it, and others wait", "[plan]") {
  auto const g = gossip::complete{4}.build();
  participation const turns{.scheme = participation_scheme::cyclic};
  for (auto const wait : {gossip::barrier::neighbors, gossip::barrier::global})
    for (bool const apart : {false, true}) {
      gossip::d_psgd<> const atc{.order = gossip::mixing_order::adapt_then_combine, .wait = wait};
      auto const plan = plan_on(rounds_with(turns, contention::none, apart), atc, g);
      CHECK(plan.end.time == 12 * (compute + 300us) + 12 * (3 * compute + 300us));
      CHECK(plan.end.bytes_sent == 24 * 2000);
    }
  for (bool const apart : {false, true})
    CHECK(plan_on(rounds_with(turns, contention::none, apart), gossip::none{}, g).end.time ==
          12 * compute + 12 * 3 * compute);
}

TEST_CASE("a node that is absent and down holds nobody up", "[plan]") {
  auto const g = gossip::ring{4}.build();
  participation const turns{.scheme = participation_scheme::cyclic};
  for (bool const apart : {false, true}) {
    auto clock =
        rounds_with(turns, contention::none, apart, {.listed = {{3, 0ms, 10s}, {1, 0ms, 10s}}});
    clock.slow.clear();
    for (auto const wait : {gossip::barrier::neighbors, gossip::barrier::global}) {
      auto settings = rounds_of(4, 1);  // nodes 0 and 2, then 1 and 3
      settings.cadences = {{2}};
      auto const plan = whole_plan_of(gossip::d_psgd<>{.wait = wait}, g, clock, settings);
      CHECK(plan.observations[1].mark.time == compute);
      CHECK(plan.end.time == 10s + compute);
    }
  }
}

// Node 1 takes three times as long. A node mixes models that were written when their owners ended
// the round before, or when that ended without them.
TEST_CASE("a node that was absent sends when the round has ended", "[plan]") {
  constexpr std::size_t n = 4, trainings = 12 * n;
  constexpr virtual_time latency = 5ms;
  gossip::participants in(some, n, rounds_of(n, 1).seed);
  std::vector<virtual_time> free(n), written(n);
  std::size_t trained = 0;
  for (gossip::round_number k = 0; trained < trainings; ++k) {
    in.begin(k);
    for (node i = 0; i < n; ++i)
      if (in.present(i) && trained++ < trainings) free[i] += i == 1 ? 3 * compute : compute;
    std::vector<virtual_time> done = free;
    for (node i = 0; i < n; ++i)
      for (node j = 0; j < n; ++j)
        if (i != j && in.present(i, j)) done[i] = std::max(done[i], written[j] + latency);
    virtual_time end{0};
    for (node i = 0; i < n; ++i)
      if (in.present(i)) end = std::max(end, done[i]);
    for (node i = 0; i < n; ++i)
      free[i] = written[i] = in.present(i) ? done[i] : std::max(free[i], end);
  }
  auto const g = gossip::complete{n}.build();
  for (bool const apart : {false, true}) {
    auto clock = rounds_with(some, contention::none, apart);
    clock.network.latency = latency;
    for (gossip::node_link &one : clock.links.nodes) one.latency = latency;
    CHECK(plan_on(clock, gossip::d_psgd<>{}, g).end.time ==
          *std::max_element(free.begin(), free.end()));
  }
}

TEST_CASE("a server draws clients among those that take part", "[plan]") {
  auto const g = gossip::complete{9}.build();
  participation const turns{.scheme = participation_scheme::cyclic, .groups = 3};
  auto const trainings = [&](gossip::fed_avg const &exchange) {
    std::map<node, int> of;
    for (gossip::operation const &o : plan_on(rounds_with(turns), exchange, g, 4).stream)
      if (o.kind() == gossip::operation_kind::train) ++of[o.a];
    return of;
  };
  // 36 trainings of three clients a round are twelve rounds, four for each group.
  for (auto const &[i, count] : trainings({.clients = 3})) CHECK(count == 4);
  CHECK(trainings({.clients = 9}).size() == 9);  // as many as there are
  // Of a population clients take part, whatever the nodes are that they are at work on.
  participation const alone{.scheme = participation_scheme::cyclic, .groups = 30};
  auto const slots = [&](participation const &in) {
    std::map<node, int> of;
    auto const plan =
        plan_on(rounds_with(in), gossip::fed_avg{.clients = 9, .population = 60}, g, 4);
    for (gossip::operation const &o : plan.stream)
      if (o.kind() == gossip::operation_kind::train) ++of[o.a];
    return of;
  };
  CHECK(slots({}).size() == 9);
  CHECK(slots(alone) == std::map<node, int>{{0, 18}, {1, 18}});  // two of 60 in each group
}

TEST_CASE("an exchange that needs all nodes refuses to go on without", "[plan]") {
  auto const g = gossip::complete{3}.build();
  CHECK_THROWS_WITH(plan_on(rounds_with(some), gossip::gradient_tracking<>{}, g),
                    "clock: participation: scheme: expected always, for this exchange needs all "
                    "nodes in every round (its properties do not say tolerates_absence), got "
                    "uniform");
  CHECK_THROWS_WITH(plan_on(rounds_with(some), gossip::global_merge<>{}, g),
                    Catch::Contains("do not say tolerates_absence"));
  CHECK_THROWS_WITH(plan_on(rounds_with({.scheme = participation_scheme::cyclic, .groups = 4}),
                            gossip::none{}, g),
                    "clock: participation: groups: expected at most the 3 nodes, got 4");
  // A round with one of three nodes in a thousand; empty ones take no time.
  for (auto const scheme : {participation_scheme::uniform, participation_scheme::markov})
    CHECK_THROWS_WITH(
        plan_on(rounds_with({.scheme = scheme, .share = 3e-4, .absence = 1e5}), gossip::none{}, g),
        "clock: participation: share: expected at least 0.0003333333333333333 for 3 nodes, so that "
        "on average one node takes part in a thousand rounds, since rounds without nodes take no "
        "virtual time, got 3e-04");
  CHECK_THROWS_WITH(plan_on(rounds_with(some), gossip::ad_psgd{}, g),
                    "clock: participation: scheme: expected always, for an exchange in events, "
                    "which has no rounds, got uniform");
}
