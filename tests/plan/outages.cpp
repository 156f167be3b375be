// Plans of networks whose nodes go down and come back.
#include <gossip/clock/lognormal_time.hpp>
#include <gossip/exchange/ad_psgd.hpp>
#include <gossip/exchange/all_reduce.hpp>
#include <gossip/exchange/buffered_gossip.hpp>
#include <gossip/exchange/d_psgd.hpp>
#include <gossip/exchange/fed_avg.hpp>
#include <gossip/exchange/gossip_learning.hpp>
#include <gossip/exchange/none.hpp>
#include <gossip/exchange/overlapped_ad_psgd.hpp>
#include <gossip/exchange/push_sum.hpp>
#include <gossip/exchange/relay_sgd.hpp>
#include <gossip/exchange/softsync.hpp>
#include <gossip/exchange/synchronous_server.hpp>
#include <gossip/topology/complete.hpp>
#include <gossip/topology/ring.hpp>

#include <vector>

#include "plans.hpp"

using namespace gossip::test;
using namespace std::chrono_literals;
using gossip::constant_time;
using gossip::contention;
using gossip::node;
using gossip::outages;
using gossip::virtual_clock;
using gossip::virtual_time;

namespace {

/// Of trainings with noise, or without: links said apart have activities ahead.
template <class Exchange>
whole_plan with_outages(Exchange const &exchange, gossip::graph const &g, outages const &down,
                        double cv, contention how = contention::none, bool apart = false,
                        std::uint64_t rounds = 12, gossip::timeline *told = nullptr) {
  auto settings = rounds_of(g.nodes(), rounds);
  settings.times = told;
  return whole_plan_of(exchange, g,
                       virtual_clock<gossip::lognormal_time>{.compute = {.mean = compute, .cv = cv},
                                                             .network = wide_link(),
                                                             .contention = how,
                                                             .links = wide_links(apart),
                                                             .outages = down},
                       settings);
}

outages const rough{.listed = {{2, 20ms, 90ms}},
                    .churn = {.up = 60ms, .down = 15ms},
                    .nights = {.day = 100ms, .down = 10ms},
                    .cuts = {{{1, 4, 5}, 30ms, 50ms}}};

template <class Exchange>
void check_waits(Exchange const &exchange, gossip::graph const &g) {
  CAPTURE(Exchange::name);
  auto const calm = with_outages(exchange, g, {}, 0.3);
  check_same(with_outages(exchange, g, {.churn = {.up = 1ns, .down = 0s}}, 0.3), calm);

  gossip::timeline times(g.nodes() + gossip::exchange_servers<Exchange>, g.nodes());
  auto const alone = with_outages(exchange, g, rough, 0.3, contention::none, false, 12, &times);
  CHECK(alone.trainings == calm.trainings);
  CHECK(alone.end.time >= calm.end.time - compute);  // those of timers take what they take
  for (auto const how : {contention::none, contention::fifo_nic, contention::fair_share})
    check_same(with_outages(exchange, g, rough, 0.3, how, true), alone);

  // Nobody begins a message while an end of it is down, or ends a training while down.
  gossip::up_times const up(rough, g.nodes(), rounds_of(1, 1).seed);
  for (gossip::timed_activity const &one : times.take_activities()) {
    if (one.is_training())
      CHECK(up.up_from(one.who, one.end - 1ns) == one.end - 1ns);
    else
      CHECK(up.both_up(one.who, one.to, one.begin) == one.begin);
  }
}

}  // namespace

TEST_CASE("who is down is waited for, with contention and without", "[plan]") {
  auto const ring = gossip::ring{7}.build(), complete = gossip::complete{7}.build();
  check_waits(gossip::ad_psgd{}, complete);
  check_waits(gossip::overlapped_ad_psgd{}, complete);
  check_waits(gossip::d_psgd<>{}, ring);
  check_waits(gossip::d_psgd<>{.order = gossip::mixing_order::adapt_then_combine}, ring);
  check_waits(gossip::d_psgd<>{.wait = gossip::barrier::global}, ring);
  check_waits(gossip::all_reduce{}, ring);
  check_waits(gossip::push_sum<>{}, ring);
  check_waits(gossip::relay_sgd{}, ring);
  check_waits(gossip::gossip_learning{}, complete);
  check_waits(gossip::buffered_gossip{}, complete);
  check_waits(gossip::fed_avg{}, complete);
  check_waits(gossip::softsync{}, complete);
  check_waits(gossip::synchronous_server{}, complete);
}

TEST_CASE("a partner is drawn among the neighbors that are up", "[plan]") {
  auto const g = gossip::complete{5}.build();
  // Nodes 1 and 2 are down from the second training on, while others exchange.
  outages const down{.listed = {{1, 11ms, 2s}, {2, 11ms, 2s}}};
  auto const count = [&](outages const &of, node with) {
    std::size_t exchanges = 0;
    gossip::timeline times(5, 5);
    with_outages(gossip::ad_psgd{}, g, of, 0.0, contention::none, false, 60, &times);
    for (gossip::timed_activity const &one : times.take_activities())
      exchanges += !one.is_training() && one.begin > 12ms && one.begin < 500ms && one.to == with;
    return exchanges;
  };
  CHECK(count(down, 1) == 0);
  CHECK(count(down, 2) == 0);
  CHECK(count(down, 3) > 60);
  CHECK(count({}, 1) > 60);

  // Where nobody is up the draw is among all, and waits.
  auto const pair = gossip::complete{2}.build();
  auto const plan = with_outages(gossip::ad_psgd{}, pair, {.listed = {{1, 15ms, 80ms}}}, 0.0,
                                 contention::none, false, 3);
  CHECK(plan.trainings == 6);
  CHECK(plan.end.time >= 80ms);
}

TEST_CASE("a round with a node that is down takes as long as it is", "[plan]") {
  auto const pair = gossip::complete{2}.build();
  gossip::d_psgd<> const atc{.order = gossip::mixing_order::adapt_then_combine};
  virtual_time const usual = compute + 300us;
  for (bool const apart : {false, true}) {
    auto const took = [&](outages const &down) {
      return with_outages(atc, pair, down, 0.0, contention::none, apart).end.time;
    };
    CHECK(took({}) == 12 * usual);
    CHECK(took({.listed = {{1, 4ms, 54ms}}}) == 12 * usual + 50ms);  // in a training
    CHECK(took({.listed = {{1, 10ms, 17ms}}}) == 12 * usual + 7ms);  // before its message
    CHECK(took({.listed = {{0, 4ms, 9ms}, {1, 4ms, 9ms}}}) == 12 * usual + 5ms);
    CHECK(took({.listed = {{0, 4ms, 9ms}, {1, 6ms, 8ms}}}) == 12 * usual + 5ms);
    CHECK(took({.listed = {{0, 10'100us, 10'200us}}}) == 12 * usual);  // on its way already
  }
}

TEST_CASE("others go on while a node is down, where none waits for it", "[plan]") {
  auto const g = gossip::ring{5}.build();
  gossip::timeline times(5, 5);
  with_outages(gossip::none{}, g, {.listed = {{3, 0ms, 100ms}}}, 0.0, contention::none, false, 4,
               &times);
  std::vector<virtual_time> last(5);
  for (gossip::timed_activity const &one : times.take_activities()) last[one.who] = one.end;
  for (node i = 0; i < 5; ++i) CHECK(last[i] == (i == 3 ? 100ms + 4 * compute : 4 * compute));
}

// Both halves of a network that is cut go on, and meet again when it is over.
TEST_CASE("AD-PSGD goes on on both sides of a cut, and D-PSGD waits", "[plan]") {
  auto const g = gossip::complete{6}.build();
  outages const cut{.cuts = {{{0, 1, 2}, 0ms, 300ms}}};
  gossip::timeline times(6, 6);
  with_outages(gossip::ad_psgd{}, g, cut, 0.3, contention::none, false, 60, &times);
  std::size_t before = 0, across = 0, after = 0;
  for (gossip::timed_activity const &one : times.take_activities()) {
    if (one.is_training()) continue;
    bool const meets = (one.who < 3) != (one.to < 3);
    if (one.begin < 300ms) ++(meets ? across : before);
    if (one.begin >= 300ms) after += meets;
  }
  CHECK(before > 6 * 2 * 20);
  CHECK(across == 0);
  CHECK(after > 6 * 20);

  gossip::d_psgd<> const atc{.order = gossip::mixing_order::adapt_then_combine};
  auto const rounds = with_outages(atc, g, cut, 0.0);
  CHECK(rounds.end.time == 300ms + 300us + 11 * (compute + 300us));
}
