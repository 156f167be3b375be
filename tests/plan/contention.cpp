// Messages that share the network: plans with contention, against plans without and closed forms.
#include <gossip/clock/lognormal_time.hpp>
#include <gossip/exchange/ad_psgd.hpp>
#include <gossip/exchange/all_reduce.hpp>
#include <gossip/exchange/d_psgd.hpp>
#include <gossip/exchange/fed_avg.hpp>
#include <gossip/exchange/gossip_learning.hpp>
#include <gossip/exchange/overlapped_ad_psgd.hpp>
#include <gossip/exchange/push_sum.hpp>
#include <gossip/exchange/streaming_diloco.hpp>
#include <gossip/exchange/swift.hpp>
#include <gossip/exchange/synchronous_server.hpp>
#include <gossip/topology/complete.hpp>
#include <gossip/topology/ring.hpp>

#include <algorithm>
#include <vector>

#include "plans.hpp"

using namespace gossip::test;
using namespace std::chrono_literals;
using gossip::constant_time;
using gossip::contention;
using gossip::node;
using gossip::virtual_clock;
using gossip::virtual_time;

namespace {

template <class Exchange>
whole_plan shared(contention how, Exchange const &exchange, gossip::graph const &g,
                  gossip::link const &network, std::uint64_t rounds, double cv = 0.0,
                  gossip::differing_links const &links = {}) {
  virtual_clock<gossip::lognormal_time> const noisy{.compute = {.mean = compute, .cv = cv},
                                                    .network = network,
                                                    .slow = {{1, 4.0, 25ms, 70ms}},
                                                    .contention = how,
                                                    .links = links};
  virtual_clock<constant_time> const even{
      .compute = {compute}, .network = network, .contention = how, .links = links};
  auto settings = rounds_of(g.nodes(), rounds);
  settings.columns = 125;
  return cv > 0 ? whole_plan_of(exchange, g, noisy, settings)
                : whole_plan_of(exchange, g, even, settings);
}

/// Without limits of bandwidth no message disturbs another, so that plans are those without
/// contention, and so are their times; links are said apart, so that all have activities ahead.
template <class Exchange>
void check_undisturbed(Exchange const &exchange, gossip::graph const &g,
                       std::uint64_t rounds = 12) {
  CAPTURE(Exchange::name);
  auto const alone = shared(contention::none, exchange, g, wide_link(), rounds, 0.3);
  for (auto const how : {contention::none, contention::fifo_nic, contention::fair_share}) {
    auto const together = shared(how, exchange, g, wide_link(), rounds, 0.3, wide_links(true));
    check_same(together, alone);
  }
}

/// In each round another node trains.
struct one_at_a_time {
  static constexpr char const *name = "one_at_a_time";
  void on_round(auto &plan, gossip::round_number k) const {
    node const i = static_cast<node>(k % plan.nodes());
    plan.train(i);
    plan.step(i);
  }
};

/// Averages and does not train again.
struct trains_once {
  void on_trained(auto &plan, node i) const {
    plan.average(i, plan.random_neighbor(i));
    plan.step(i);
  }
};

/// Wants to know the accuracy after every round.
struct asks {
  void on_round(auto &plan, gossip::round_number) const {
    plan.train_all();
    plan.step_all();
    plan.ask(gossip::measured::accuracy);
  }
  void on_answer(auto &, double) const {}
};

}  // namespace

TEST_CASE("contention changes nothing where bandwidth is unlimited", "[plan]") {
  auto const ring = gossip::ring{9}.build(), complete = gossip::complete{9}.build();
  check_undisturbed(gossip::ad_psgd{}, complete);
  check_undisturbed(gossip::overlapped_ad_psgd{}, complete);
  check_undisturbed(gossip::d_psgd<>{}, ring);
  check_undisturbed(gossip::d_psgd<>{.order = gossip::mixing_order::adapt_then_combine}, ring);
  check_undisturbed(gossip::d_psgd<>{.wait = gossip::barrier::global}, ring);
  check_undisturbed(gossip::all_reduce{}, ring);
  check_undisturbed(gossip::fed_avg{}, complete);
  check_undisturbed(gossip::swift{}, ring);
  check_undisturbed(gossip::synchronous_server{}, complete);
  check_undisturbed(gossip::gossip_learning{}, complete);
  check_undisturbed(gossip::push_sum<>{}, ring);
  check_undisturbed(gossip::streaming_diloco{}, ring);
}

TEST_CASE("averages beside trainings take the longer of both", "[plan]") {
  auto const pair = gossip::complete{2}.build();
  // Twelve trainings of each node; the last average is begun with the last training.
  for (auto const how : {contention::none, contention::fifo_nic, contention::fair_share})
    for (virtual_time const latency : {virtual_time(0), virtual_time(4ms), virtual_time(25ms)}) {
      gossip::differing_links const apart{
          .edges = {{0, 1, latency, instant().bandwidth}, {1, 0, latency, instant().bandwidth}}};
      auto const plan = shared(how, gossip::overlapped_ad_psgd{}, pair, instant(), 12, 0.0, apart);
      CHECK(plan.end.time == 12 * std::max(compute, latency));
      CHECK(plan.end.bytes_sent == 24 * 2 * 1000);
    }
}

TEST_CASE("rounds end when those who work in them have done it", "[plan]") {
  // Places of activities that are over are taken by the next owner's.
  for (std::size_t const n : {2, 3, 5})
    for (std::uint64_t const rounds : {7, 60})
      check_undisturbed(one_at_a_time{}, gossip::complete{n}.build(), rounds);
}

TEST_CASE("an exchange takes the longer of its two ways", "[plan]") {
  auto const pair = gossip::complete{2}.build();
  gossip::differing_links const apart{
      .edges = {{0, 1, 1ms, instant().bandwidth}, {1, 0, 100ms, instant().bandwidth}}};
  for (auto const how : {contention::none, contention::fifo_nic, contention::fair_share})
    CHECK(shared(how, gossip::ad_psgd{}, pair, instant(), 10, 0.0, apart).end.time ==
          10 * compute + 10 * 100ms);
}

TEST_CASE("events that run dry are refused with contention too", "[plan]") {
  auto const ring = gossip::ring{8}.build();
  for (auto const how : {contention::none, contention::fifo_nic, contention::fair_share})
    CHECK_THROWS_WITH(shared(how, trains_once{}, ring, slow_link, 3),
                      Catch::Contains("no node trains any more"));
}

TEST_CASE("a message that meets no other takes as long as without contention", "[plan]") {
  // Trainings of 3 and of 7.1 ms: no two end within the time of an exchange.
  auto const pair = gossip::complete{2}.build();
  gossip::link const odd{.latency = 17us, .bandwidth = 3e7};  // 33,333.3 ns a message
  struct alternating {
    virtual_time duration(std::uint64_t, node i, std::uint64_t) const {
      return i == 0 ? 3ms : virtual_time(7'100'000);
    }
  };
  std::vector<virtual_time> times;
  for (auto const how : {contention::none, contention::fifo_nic, contention::fair_share})
    times.push_back(whole_plan_of(gossip::ad_psgd{}, pair,
                                  virtual_clock<alternating>{.network = odd, .contention = how},
                                  rounds_of(2, 20))
                        .end.time);
  CHECK(times[1] == times[0]);
  CHECK(times[2] == times[0]);
}

TEST_CASE("messages of all neighbors share who receives them", "[plan]") {
  auto const ring = gossip::ring{8}.build();
  gossip::d_psgd<> const atc{.order = gossip::mixing_order::adapt_then_combine};
  // Two messages leave every node and two arrive, whether one after the other or side by side.
  virtual_time const both = 20us + 2 * 10us;
  CHECK(shared(contention::fair_share, atc, ring, slow_link, 9).end.time == 9 * (compute + both));
  auto const in_turns = shared(contention::fifo_nic, atc, ring, slow_link, 9).end.time;
  CHECK(in_turns >= 9 * (compute + both));  // some wait for a neighbor who is sending
  CHECK(in_turns <= 9 * (compute + 20us + 4 * 10us));
  // Of combine_then_adapt they travel while nodes compute.
  for (auto const how : {contention::fifo_nic, contention::fair_share})
    CHECK(shared(how, gossip::d_psgd<>{}, ring, slow_link, 9).end.time == 9 * compute);
}

TEST_CASE("a server's interface serves all who send to it", "[plan]") {
  // Down n models of 10 us behind each other, up as many.
  for (std::size_t const n : {1, 2, 8}) {
    auto const g = gossip::complete{n}.build();
    virtual_time const incast = 20us + static_cast<int>(n) * 10us;
    for (auto const how : {contention::fifo_nic, contention::fair_share}) {
      auto const time = shared(how, gossip::synchronous_server{}, g, slow_link, 5).end.time;
      CAPTURE(n, time.count());
      CHECK(time >= 5 * (compute + incast));
      CHECK(time <= 5 * (compute + 2 * incast));
    }
  }
}

TEST_CASE("rounds wait for a slow way between regions", "[plan]") {
  // Two halves of a ring, 5 ms and 10 ms a model apart.
  auto const ring = gossip::ring{8}.build();
  gossip::d_psgd<> const atc{.order = gossip::mixing_order::adapt_then_combine};
  gossip::region const half{.nodes = 4, .latency = 20us, .bandwidth = 1e8};
  gossip::differing_links const apart{
      .regions = {half, half}, .between = {{.from = 0, .to = 1, .latency = 5ms, .bandwidth = 1e5}}};
  // Messages leave side by side: nodes inside a half wait for those at its ends, a round later.
  auto const far = shared(contention::none, atc, ring, slow_link, 50, 0.0, apart).end.time;
  CHECK(far == 50 * (compute + 15ms));
  auto const near = shared(contention::none, atc, ring, slow_link, 50, 0.0,
                           {.regions = {{.nodes = 8, .latency = 20us, .bandwidth = 1e8}}});
  CHECK(near.end.time == 50 * (compute + 20us + 10us));
}

TEST_CASE("a node behind a slow link holds up those who exchange with it", "[plan]") {
  auto const pair = gossip::complete{2}.build();
  gossip::differing_links const phone{
      .nodes = {{.which = 1, .latency = 30ms, .bandwidth = 1e6}}};  // 31 ms a model
  for (auto const how : {contention::none, contention::fifo_nic, contention::fair_share}) {
    auto const time = shared(how, gossip::ad_psgd{}, pair, slow_link, 40, 0.0, phone).end.time;
    CHECK(time >= 40 * compute + 39 * 31ms);  // each waits for its own exchanges
    CHECK(time <= 40 * compute + 2 * 39 * 31ms);
  }
}

TEST_CASE("an exchange that asks for values is refused contention in rounds", "[plan]") {
  auto const ring = gossip::ring{4}.build();
  CHECK_THROWS_WITH(shared(contention::fair_share, asks{}, ring, slow_link, 3),
                    "clock: contention and links that differ: expected neither, for an exchange in "
                    "rounds that asks for values of the run, got at least one of the two");
}
