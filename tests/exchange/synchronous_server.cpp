// The synchronous parameter server: the laws, SGD of the mean gradient, and who is waited for.
#include <gossip/exchange/synchronous_server.hpp>

#include <gossip/clock/constant_time.hpp>
#include <gossip/exchange/all_reduce.hpp>
#include <gossip/topology/ring.hpp>

#include "laws.hpp"
#include "networks.hpp"

using namespace gossip::test;
using gossip::ring;
using gossip::synchronous_server;

namespace {

/// Trainings of 10 ms, and of so many times as much on the last of four nodes, at rate 0.25.
watched_run with_slow_node(std::size_t wait_for, double factor, std::uint64_t count) {
  gossip::virtual_clock clock{.compute = gossip::constant_time{}, .slow = {{3, factor}}};
  clock.network = {.latency = gossip::virtual_time(0), .bandwidth = 1e15};
  small_network network{ring{4},
                        gossip::quadratic<1>{.curvature = {1.0}, .optimum = {3, -1, 4, 10}},
                        gossip::sgd{.rate = 0.25}, synchronous_server{wait_for}, clock};
  return watched(network, {.stop = gossip::rounds{count}}, at_the_end);
}

}  // namespace

TEST_CASE("the synchronous server keeps the laws of exchanges", "[exchange]") {
  check_exchange(synchronous_server{}, {.keeps_mean = false});
  check_exchange(synchronous_server{.wait_for = 1}, {.keeps_mean = false});
}

TEST_CASE("a server that waits for all takes the steps of all-reduce", "[exchange]") {
  auto const waits = settled_by({.rate = 0.1, .momentum = 0.5}, ring{8}, synchronous_server{}, 30);
  auto const central =
      settled_by({.rate = 0.1, .momentum = 0.5}, ring{8}, gossip::all_reduce{}, 30);
  for (auto const &row : waits.rows) CHECK(row[0] == Approx(central.mean(0)).epsilon(1e-13));
}

// 1,000 trainings are 250 steps of four nodes, or a few more than 333 of the three that are fast.
TEST_CASE("backup workers make steps as fast as the faster nodes", "[exchange]") {
  auto const all = with_slow_node(4, 50, 250), some = with_slow_node(3, 50, 250);
  CHECK(all.report.virtual_seconds == Approx(250 * 0.5).epsilon(1e-6));
  CHECK(some.report.virtual_seconds > 3.3);
  CHECK(some.report.virtual_seconds < 3.9);
  CHECK(some.report.node_iterations == 1000);
}

// A gradient of the slow node is always late: the mean of the others' valleys is 2, of all 4.
TEST_CASE("a server throws late gradients away", "[exchange]") {
  CHECK(with_slow_node(3, 50, 250).seen.back().rows[0][0] == Approx(2).epsilon(1e-12));
  CHECK(with_slow_node(4, 50, 250).seen.back().rows[0][0] == Approx(4).epsilon(1e-12));
}

TEST_CASE("the synchronous server refuses to wait for more than all", "[exchange]") {
  CHECK_THROWS_WITH(settled(ring{8}, synchronous_server{9}, 1),
                    contains("synchronous_server: wait_for: expected at most 8, all nodes, got 9"));
}
