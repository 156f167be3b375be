// Staleness of the gradients of a plan: laws, hand-counted cases, and a plain count of its stream.
#include <gossip/clock/lognormal_time.hpp>
#include <gossip/exchange/ad_psgd.hpp>
#include <gossip/exchange/all_reduce.hpp>
#include <gossip/exchange/d_psgd.hpp>
#include <gossip/exchange/overlapped_ad_psgd.hpp>
#include <gossip/plan/staleness.hpp>
#include <gossip/topology/complete.hpp>
#include <gossip/topology/ring.hpp>

#include <cstdint>
#include <map>
#include <vector>

#include "plans.hpp"

using namespace gossip::test;
using namespace std::chrono_literals;
using gossip::node;
using gossip::operation;
using gossip::operation_kind;

namespace {
namespace of_gradients {

gossip::planned_staleness counted(whole_plan const &plan, std::size_t nodes) {
  gossip::planned_staleness all(nodes);
  // In parts, as windows come.
  gossip::plan_window const without_servers;
  std::span<operation const> const stream(plan.stream);
  all.count(without_servers, stream.first(stream.size() / 3));
  all.count(without_servers, stream.subspan(stream.size() / 3));
  return all;
}

/// Of every pair of a gradient and the next step of its node, the averages of the node between.
std::map<std::uint64_t, std::uint64_t> plain_count(whole_plan const &plan) {
  std::map<std::uint64_t, std::uint64_t> all;
  for (std::size_t p = 0; p < plan.stream.size(); ++p) {
    operation const &train = plan.stream[p];
    if (train.kind() != operation_kind::train) continue;
    std::uint64_t averages = 0;
    bool done = train.train().steps();
    for (std::size_t q = p + 1; q < plan.stream.size() && !done; ++q) {
      operation const &o = plan.stream[q];
      averages += o.kind() == operation_kind::columns && (o.a == train.a || o.b() == train.a);
      done = o.kind() == operation_kind::step && o.a == train.a;
    }
    if (done) ++all[averages];
  }
  return all;
}

}  // namespace of_gradients
}  // namespace

TEST_CASE("gradients in rounds are as stale as their exchange says", "[plan]") {
  auto const staleness = [](auto const &exchange) {
    auto const g = gossip::ring{6}.build();
    return of_gradients::counted(
               plan_on(gossip::virtual_clock<gossip::constant_time>{}, exchange, g), 6)
        .counts();
  };
  CHECK(staleness(gossip::all_reduce{})[0] == 72);
  CHECK(staleness(gossip::d_psgd<>{})[1] == 72);  // mixed, then moved
  gossip::d_psgd<> const moved_first{.order = gossip::mixing_order::adapt_then_combine};
  CHECK(staleness(moved_first)[0] == 72);
}

TEST_CASE("the staleness of asynchronous gradients is that of a plain count", "[plan]") {
  auto const g = gossip::complete{8}.build();
  gossip::virtual_clock const clock{.compute = gossip::lognormal_time{.cv = 0.7}};
  auto const check = [&](auto const &exchange) {
    auto const plan = plan_on(clock, exchange, g, 40);
    auto const all = of_gradients::counted(plan, 8);
    std::uint64_t gradients = 0, sum = 0, largest = 0;
    for (auto const &[staleness, count] : of_gradients::plain_count(plan)) {
      REQUIRE(staleness + 1 < gossip::staleness_counts::bins);
      CHECK(all.counts()[staleness] == count);
      gradients += count;
      sum += staleness * count;
      largest = staleness;
    }
    CHECK(gradients > 300);
    CHECK(all.counts().total() == gradients);
    CHECK(all.counts().largest() == largest);
    CHECK(all.counts().mean() == Approx(static_cast<double>(sum) / static_cast<double>(gradients)));
  };
  check(gossip::ad_psgd{});
  check(gossip::overlapped_ad_psgd{});
}

TEST_CASE("a slow node that answers sees the averages that begin in its gradients", "[plan]") {
  gossip::overlapped_ad_psgd one_side;
  one_side.asked_by = gossip::askers::one_side;
  // Node 1 asks every 10 ms, node 0 answers; its gradient k is under way from 33.7 k to 33.7 (k +
  // 1) ms; they begin together at 0 and at 3,370 ms.
  gossip::virtual_clock const clock{.compute = gossip::constant_time{.mean = 10ms},
                                    .network = instant(),
                                    .slow = {{.which = 0, .factor = 3.37}}};
  auto const plan = plan_on(clock, one_side, gossip::ring{2}.build(), 80);
  std::size_t of_node_1 = 0, of_node_0 = 0, averages = 0;
  for (operation const &o : plan.stream) {
    of_node_0 += o.kind() == operation_kind::step && o.a == 0;
    of_node_1 += o.kind() == operation_kind::step && o.a == 1;
    averages += o.kind() == operation_kind::columns;
  }
  REQUIRE(of_node_0 > 30);
  REQUIRE(of_node_0 < 100);
  CHECK(averages >= of_node_1);
  CHECK(averages <= of_node_1 + 1);  // the gradient that the end leaves
  std::map<std::uint64_t, std::uint64_t> expected{{1, of_node_1}};
  for (std::size_t k = 0; k < of_node_0; ++k) {
    std::uint64_t seen = 0;
    for (std::size_t at = 0; at < 337 * (k + 1); at += 100)
      seen += at >= 337 * k && at < 100 * averages;  // to the end of the run
    ++expected[seen];
  }
  auto const all = of_gradients::counted(plan, 2);
  for (auto const &[staleness, count] : expected) {
    CAPTURE(staleness);
    CHECK(all.counts()[staleness] == count);
  }
  CHECK(all.means()[1] == 1.0);
  CHECK(all.means()[0] == Approx(3.37).margin(0.05));
}

TEST_CASE("averages that one side asks for need a bipartite graph", "[plan]") {
  gossip::overlapped_ad_psgd one_side;
  one_side.asked_by = gossip::askers::one_side;
  CHECK_THROWS_WITH(one_side.check(gossip::ring{5}.build()),
                    "overlapped_ad_psgd: expected a bipartite graph, such as a chain or an even "
                    "ring, got a graph with an odd cycle through the edge of 2 and 3");
  CHECK_NOTHROW(one_side.check(gossip::ring{6}.build()));
  CHECK_NOTHROW(gossip::overlapped_ad_psgd{}.check(gossip::ring{5}.build()));

  // Every average has one node of each side, and it is an odd one that asks.
  auto const plan = plan_on(gossip::virtual_clock<gossip::lognormal_time>{}, one_side,
                            gossip::ring{6}.build(), 20);
  std::size_t averages = 0;
  for (operation const &o : plan.stream)
    if (o.kind() == operation_kind::columns) {
      ++averages;
      CHECK(o.a % 2 == 1);
      CHECK(o.b() % 2 == 0);
    }
  CHECK(averages > 50);
}
