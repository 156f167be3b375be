// Plans of networks whose messages get lost: sent again, or gone.
#include <gossip/clock/lognormal_time.hpp>
#include <gossip/exchange/ad_psgd.hpp>
#include <gossip/exchange/all_reduce.hpp>
#include <gossip/exchange/buffered_gossip.hpp>
#include <gossip/exchange/d_psgd.hpp>
#include <gossip/exchange/epidemic_learning.hpp>
#include <gossip/exchange/fed_avg.hpp>
#include <gossip/exchange/gossip_learning.hpp>
#include <gossip/exchange/none.hpp>
#include <gossip/exchange/overlapped_ad_psgd.hpp>
#include <gossip/exchange/overlapped_push_sum.hpp>
#include <gossip/exchange/push_sum.hpp>
#include <gossip/exchange/relay_sgd.hpp>
#include <gossip/exchange/softsync.hpp>
#include <gossip/exchange/swift.hpp>
#include <gossip/exchange/synchronous_server.hpp>
#include <gossip/topology/complete.hpp>
#include <gossip/topology/ring.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "plans.hpp"

using namespace gossip::test;
using namespace std::chrono_literals;
using gossip::after_loss;
using gossip::contention;
using gossip::link_losses;
using gossip::message_loss;
using gossip::node;
using gossip::virtual_clock;
using gossip::virtual_time;

namespace {

/// A virtual clock whose messages take 300 us each and are lost; links said apart have activities
/// ahead.
virtual_clock<gossip::lognormal_time> lossy(message_loss const &loss, double cv,
                                            contention how = contention::none, bool apart = false) {
  return {.compute = {.mean = compute, .cv = cv},
          .network = wide_link(),
          .contention = how,
          .links = wide_links(apart),
          .loss = loss};
}

constexpr message_loss bursts{
    .share = 0.1, .burst_begins = 0.05, .burst_ends = 0.4, .timeout = 900us};

message_loss gone(message_loss loss) {
  loss.then = after_loss::go_on;
  return loss;
}

/// Plans with contention are those without, and what a timeline is told is what the plan counts.
template <class Exchange>
whole_plan check_same_by_activities(Exchange const &exchange, gossip::graph const &g,
                                    message_loss const &loss, bool mixes = false) {
  CAPTURE(Exchange::name);
  gossip::timeline times(g.nodes() + gossip::exchange_servers<Exchange>, g.nodes());
  auto const alone = plan_on(lossy(loss, 0.3), exchange, g, 12, &times);
  std::uint64_t told = 0;
  for (gossip::timed_activity const &one : times.take_activities())
    if (!one.is_training()) told += one.bytes;
  CHECK(told == alone.end.bytes_sent);
  for (auto const how : {contention::none, contention::fifo_nic, contention::fair_share}) {
    gossip::timeline shared(g.nodes() + gossip::exchange_servers<Exchange>, g.nodes());
    auto const together = plan_on(lossy(loss, 0.3, how, true), exchange, g, 12, &shared);
    CHECK(together.end.bytes_sent == alone.end.bytes_sent);
    REQUIRE(together.stream.size() == alone.stream.size());
    if (!mixes) check_same(together, alone);  // senders of mixtures wait for arrivals
  }
  return alone;
}

template <class Exchange>
void check_sent_again(Exchange const &exchange, gossip::graph const &g, bool mixes = false) {
  auto const calm = plan_on(lossy({}, 0.3), exchange, g);
  auto const lost = check_same_by_activities(exchange, g, bursts, mixes);
  CHECK(lost.trainings == calm.trainings);
  CHECK(lost.end.time >= calm.end.time);  // some wait for nobody
  CHECK(lost.end.bytes_sent > calm.end.bytes_sent);
  if (gossip::detail::mentions_on_round<Exchange>) CHECK(lost.stream.size() == calm.stream.size());
}

/// same_times: every message is sent whatever becomes of the others.
template <class Exchange>
void check_goes_on(Exchange const &exchange, gossip::graph const &g, bool same_times = false,
                   bool mixes = false) {
  auto const calm = plan_on(lossy({}, 0.3), exchange, g);
  auto const lost = check_same_by_activities(exchange, g, gone(bursts), mixes);
  CHECK(lost.trainings >= calm.trainings);
  CHECK(lost.trainings < calm.trainings + 2 * g.nodes());  // the last round is whole
  if (!same_times) return;
  CHECK(lost.end.bytes_sent == calm.end.bytes_sent);
  CHECK(lost.end.time == calm.end.time);
}

std::size_t averages(whole_plan const &plan) {
  return plan.count(gossip::operation_kind::columns);
}

}  // namespace

TEST_CASE("what is lost is sent again, with contention and without", "[plan]") {
  auto const ring = gossip::ring{7}.build(), complete = gossip::complete{7}.build();
  check_sent_again(gossip::ad_psgd{}, complete);
  check_sent_again(gossip::overlapped_ad_psgd{}, complete);
  check_sent_again(gossip::d_psgd<>{}, ring, true);
  check_sent_again(gossip::d_psgd<>{.order = gossip::mixing_order::adapt_then_combine}, ring, true);
  check_sent_again(gossip::d_psgd<>{.wait = gossip::barrier::global}, ring);
  check_sent_again(gossip::all_reduce{}, ring);
  check_sent_again(gossip::push_sum<>{}, ring, true);
  check_sent_again(gossip::overlapped_push_sum<>{}, ring);
  check_sent_again(gossip::relay_sgd{}, ring);
  check_sent_again(gossip::gossip_learning{}, complete);
  check_sent_again(gossip::fed_avg{}, complete);
  check_sent_again(gossip::softsync{}, complete);
  check_sent_again(gossip::synchronous_server{}, complete);
  check_same_by_activities(gossip::buffered_gossip{}, complete, bursts);
}

TEST_CASE("others go on without what is lost, with contention and without", "[plan]") {
  auto const ring = gossip::ring{7}.build(), complete = gossip::complete{7}.build();
  check_goes_on(gossip::ad_psgd{}, complete, true);
  check_goes_on(gossip::overlapped_ad_psgd{}, complete, true);
  check_goes_on(gossip::d_psgd<>{}, ring, true);
  check_goes_on(gossip::d_psgd<>{.wait = gossip::barrier::global}, ring, true);
  check_goes_on(gossip::push_sum<>{}, ring, true);
  check_goes_on(gossip::relay_sgd{}, ring, true);
  check_goes_on(gossip::gossip_learning{}, complete);
  check_goes_on(gossip::buffered_gossip{}, complete, true);
  check_goes_on(gossip::fed_avg{.local_steps = 2}, complete);
  check_goes_on(gossip::epidemic_learning{}, complete, true, true);
  check_goes_on(gossip::none{}, complete, true);
  check_goes_on(gossip::swift<>{}, ring, true);
}

TEST_CASE("a round takes as long as the message that is sent most often", "[plan]") {
  auto const pair = gossip::complete{2}.build();
  gossip::d_psgd<> const atc{.order = gossip::mixing_order::adapt_then_combine,
                             .wait = gossip::barrier::global};
  link_losses fates(bursts, rounds_of(2, 1).seed);
  virtual_time expected{0};
  std::uint64_t bytes = 0;
  for (int k = 0; k < 50; ++k) {
    auto const there = fates.message(1, 0, 1000), back = fates.message(0, 1, 1000);
    std::uint32_t const tries = std::max(there.tries, back.tries);
    expected += compute + tries * 300us + (tries - 1) * 900us;
    bytes += there.bytes + back.bytes;
  }
  REQUIRE(bytes > 105'000);
  for (bool const apart : {false, true}) {
    auto const plan = plan_on(lossy(bursts, 0, contention::none, apart), atc, pair, 50);
    CHECK(plan.end.time == expected);
    CHECK(plan.end.bytes_sent == bytes);
  }
}

TEST_CASE("a ring takes as long as its worst link", "[plan]") {
  auto const g = gossip::ring{4}.build();
  link_losses fates(bursts, rounds_of(4, 1).seed);
  virtual_time expected{0};
  for (int k = 0; k < 20; ++k) {
    std::uint32_t most = 0;
    for (node i = 0; i < 4; ++i)
      most = std::max(most, fates.in_turns(i, (i + 1) % 4, 1500, 6).tries);
    expected += compute + most * 300us + (most - 6) * 900us;
  }
  for (bool const apart : {false, true})
    CHECK(
        plan_on(lossy(bursts, 0, contention::none, apart), gossip::all_reduce{}, g, 20).end.time ==
        expected);
}

TEST_CASE("AD-PSGD goes on without the averages of which a message is lost", "[plan]") {
  auto const g = gossip::complete{8}.build();
  auto const calm = plan_on(lossy({}, 0.3), gossip::ad_psgd{}, g, 1000);
  auto const lost = plan_on(lossy(gone({.share = 0.2}), 0.3), gossip::ad_psgd{}, g, 1000);
  double const share = static_cast<double>(averages(lost)) / static_cast<double>(averages(calm));
  CHECK(share == Approx(0.64).margin(0.03));
  CHECK(lost.end.bytes_sent == calm.end.bytes_sent);
  CHECK(averages(plan_on(lossy(gone({.share = 1}), 0.3), gossip::ad_psgd{}, g)) == 0);
}

TEST_CASE("rounds in which no client is reached pass, but not for ever", "[plan]") {
  auto const g = gossip::complete{3}.build();
  gossip::fed_avg const one{.clients = 1};
  auto const plan = plan_on(lossy(gone({.share = 0.9}), 0), one, g);
  CHECK(plan.trainings == 36);
  CHECK(plan.end.bytes_sent > 200'000);  // some ten models down for every training
  CHECK_THROWS_WITH(plan_on(lossy(gone({.share = 1}), 0), one, g),
                    Catch::Contains("clock: no node has trained in the 100000 rounds up to round"));
}

// A node of gossip_learning trains by a message alone.
TEST_CASE("a run whose messages are all lost says so", "[plan]") {
  auto const g = gossip::complete{3}.build();
  CHECK_THROWS_WITH(plan_on(lossy(gone({.share = 1}), 0), gossip::gossip_learning{}, g),
                    Catch::Matches("exchange: no training has ended in 1003001 messages and timers "
                                   "up to [0-9.]+ s of virtual time, the last to node [0-2]; all "
                                   "[0-9]+ messages are lost, and nodes that train by messages "
                                   "wait for them"));
  using gossip::detail::lost_in_words;
  CHECK(lost_in_words({5, 0}).empty());
  CHECK(lost_in_words({5, 2}) == "2 of 5 messages are lost");
  CHECK_THROWS_WITH(gossip::detail::refuse_dry_events(1, 6, false, {5, 5}),
                    "exchange: after 1 of 6 node-iterations no node trains any more; all 5 "
                    "messages are lost, and nodes wait for them, or on_trained must train again");
}

TEST_CASE("an exchange that waits for every message refuses to go on without", "[plan]") {
  auto const g = gossip::complete{3}.build();
  char const *const sentence =
      "clock: loss: then: expected send_again, for this exchange waits for every message (its "
      "properties do not say tolerates_loss), got go_on";
  auto const clock = lossy(gone(bursts), 0.3);
  CHECK_THROWS_WITH(plan_on(clock, gossip::all_reduce{}, g), sentence);
  CHECK_THROWS_WITH(plan_on(clock, gossip::softsync{}, g), sentence);
  CHECK_THROWS_WITH(plan_on(clock, gossip::overlapped_push_sum<>{}, g), sentence);
  CHECK_NOTHROW(plan_on(lossy(gone({}), 0.3), gossip::all_reduce{}, g));  // none is lost
}
