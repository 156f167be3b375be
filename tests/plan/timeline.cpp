// What a plan tells a timeline: every byte and every training, when they take place.
#include <gossip/exchange/ad_psgd.hpp>
#include <gossip/exchange/all_reduce.hpp>
#include <gossip/exchange/choco_sgd.hpp>
#include <gossip/exchange/d_psgd.hpp>
#include <gossip/exchange/fed_avg.hpp>
#include <gossip/exchange/gossip_learning.hpp>
#include <gossip/exchange/push_sum.hpp>
#include <gossip/exchange/streaming_diloco.hpp>
#include <gossip/exchange/swift.hpp>
#include <gossip/exchange/synchronous_server.hpp>
#include <gossip/topology/complete.hpp>
#include <gossip/topology/ring.hpp>

#include <map>
#include <vector>

#include "plans.hpp"

using namespace gossip::test;
using namespace std::chrono_literals;
using gossip::constant_time;
using gossip::contention;
using gossip::node;
using gossip::timed_activity;
using gossip::timeline;
using gossip::virtual_clock;
using gossip::virtual_time;

namespace {

/// Owners of the plan of an exchange: its nodes and servers.
template <class Exchange>
std::size_t owners_of(gossip::graph const &g) {
  return g.nodes() + gossip::exchange_servers<Exchange>;
}

template <class Exchange>
whole_plan told_to(timeline *times, Exchange const &exchange, gossip::graph const &g,
                   contention how, gossip::link const &network = slow_link) {
  auto settings = rounds_of(g.nodes(), 12);
  settings.row_bytes = 1000;
  settings.columns = 125;
  settings.times = times;
  return whole_plan_of(
      exchange, g,
      virtual_clock<constant_time>{.compute = {compute}, .network = network, .contention = how},
      settings);
}

template <class Exchange>
void check_all_told(Exchange const &exchange, gossip::graph const &g) {
  for (auto const how : {contention::none, contention::fifo_nic, contention::fair_share}) {
    CAPTURE(Exchange::name, static_cast<int>(how));
    std::size_t const owners = owners_of<Exchange>(g);
    timeline times(owners, g.nodes());
    auto const plan = told_to(&times, exchange, g, how);
    auto const alone = told_to(nullptr, exchange, g, how);
    CHECK(plan.end.time == alone.end.time);
    CHECK(plan.stream.size() == alone.stream.size());

    std::uint64_t sent = 0, carried = 0;
    virtual_time trained{0};
    for (node i = 0; i < owners; ++i) {
      sent += times.bytes_sent(i);
      trained += times.in_training(i, plan.end.time);
    }
    for (gossip::edge_bytes const &e : times.edges()) carried += e.bytes;
    CHECK(sent == plan.end.bytes_sent);
    CHECK(carried == sent);
    CHECK(trained == static_cast<int>(plan.trainings) * compute);

    std::map<node, virtual_time> free_at;
    std::uint64_t kept_bytes = 0;
    virtual_time before{0};
    for (timed_activity const &one : times.take_activities()) {
      CHECK(one.begin >= before);
      CHECK(one.end >= one.begin);
      before = one.begin;
      kept_bytes += one.bytes;
      if (!one.is_training()) continue;
      CHECK(one.end <= plan.end.time);
      CHECK(one.end - one.begin == compute);
      CHECK(one.begin >= free_at[one.who]);  // a node does one training at a time
      free_at[one.who] = one.end;
    }
    // With fair shares the last messages may be on their way when the run ends.
    CHECK((kept_bytes == sent || (how == contention::fair_share && kept_bytes < sent)));
  }
}

}  // namespace

TEST_CASE("a timeline is told of all bytes and trainings", "[plan]") {
  auto const ring = gossip::ring{9}.build(), complete = gossip::complete{9}.build();
  check_all_told(gossip::ad_psgd{}, complete);
  check_all_told(gossip::d_psgd<>{}, ring);
  check_all_told(gossip::d_psgd<>{.order = gossip::mixing_order::adapt_then_combine}, ring);
  check_all_told(gossip::choco_sgd<>{}, ring);
  check_all_told(gossip::all_reduce{}, ring);
  check_all_told(gossip::fed_avg{}, complete);
  check_all_told(gossip::swift{}, ring);
  check_all_told(gossip::synchronous_server{}, complete);
  check_all_told(gossip::gossip_learning{}, complete);
  check_all_told(gossip::push_sum<>{}, ring);
  check_all_told(gossip::streaming_diloco{}, ring);
}

TEST_CASE("a timeline has the times of closed forms", "[plan]") {
  auto const pair = gossip::complete{2}.build();
  gossip::d_psgd<> const atc{.order = gossip::mixing_order::adapt_then_combine};
  virtual_time const message = 20us + 10us;  // of 1,000 bytes
  for (auto const how : {contention::none, contention::fifo_nic, contention::fair_share}) {
    CAPTURE(static_cast<int>(how));
    timeline times(2, 1);
    told_to(&times, atc, pair, how);
    std::size_t trainings = 0, messages = 0;
    for (timed_activity const &one : times.take_activities()) {
      auto const round = static_cast<int>(one.is_training() ? trainings++ : messages++ / 2);
      virtual_time const begin = round * (compute + message) + (one.is_training() ? 0ms : compute);
      CHECK(one.begin == begin);
      CHECK(one.end == begin + (one.is_training() ? compute : message));
    }
    CHECK(trainings == 12);
    CHECK(messages == 24);
  }
}

TEST_CASE("edges are counted once, however many messages they carried", "[plan]") {
  timeline times(3);
  for (int k = 0; k < 700'000; ++k)
    for (node const to : {1U, 2U}) times.sends(0, to, to, virtual_time{0}, virtual_time{1});
  times.sends(2, 0, 5, virtual_time{0}, virtual_time{1});
  auto const &edges = times.edges();
  REQUIRE(edges.size() == 3);
  CHECK((edges[0].from == 0 && edges[0].to == 1 && edges[0].bytes == 700'000));
  CHECK((edges[1].from == 0 && edges[1].to == 2 && edges[1].bytes == 1'400'000));
  CHECK((edges[2].from == 2 && edges[2].to == 0 && edges[2].bytes == 5));
  CHECK(times.take_activities().empty());
}
