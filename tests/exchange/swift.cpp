// SWIFT: the laws, D-PSGD where all are equally fast, and two nodes of which one is slow.
#include <gossip/exchange/swift.hpp>

#include <gossip/clock/constant_time.hpp>
#include <gossip/exchange/d_psgd.hpp>
#include <gossip/mixing/one_peer.hpp>
#include <gossip/topology/exponential.hpp>
#include <gossip/topology/ring.hpp>

#include <vector>

#include "laws.hpp"
#include "networks.hpp"

using namespace gossip::test;
using gossip::ring;
using gossip::swift;

namespace {

/// Trainings of 10 ms, of node 0 so many times as long; messages take 1 ms.
watched_run run_of(std::size_t n, some_exchange const &exchange, double factor,
                   gossip::quadratic<1> const &model, std::uint64_t count) {
  gossip::virtual_clock clock{.compute = gossip::constant_time{}, .slow = {{0, factor}}};
  clock.network = {.latency = gossip::virtual_time(1'000'000), .bandwidth = 1e15};
  auto network = on_clock(clock, ring{n}, model, 0.1, exchange);
  return watched(network, {.stop = gossip::rounds{count}}, at_the_end);
}

}  // namespace

TEST_CASE("SWIFT keeps the laws of exchanges", "[exchange]") {
  check_exchange(swift<>{}, {.keeps_mean = false});
  check_exchange(swift<>{.local_steps = 3}, {.keeps_mean = false, .reaches_mean = false});
}

TEST_CASE("SWIFT keeps the laws of exchanges where messages are lost or nodes down", "[exchange]") {
  check_with_loss(swift<>{}, {.keeps_mean = false});
  check_with_outages(swift<>{}, {.keeps_mean = false});
}

TEST_CASE("SWIFT of equally fast nodes is D-PSGD", "[exchange]") {
  auto const free = run_of(8, swift<>{}, 1, alternating_valleys(), 57).seen.back();
  auto const waiting = settled(ring{8}, gossip::d_psgd<>{}, 57);
  for (std::size_t i = 0; i < 8; ++i)
    CHECK(free.rows[i][0] == Approx(waiting.rows[i][0]).epsilon(1e-13));
}

// Node 0 takes three times as long, so that node 1 takes three steps with the same model of it.
TEST_CASE("SWIFT does not wait for a slow node", "[exchange]") {
  gossip::quadratic<1> const valleys{.curvature = {1.0}, .optimum = {3, -5}};
  double x[2] = {0, 0}, box[2] = {0, 0};  // box[i]: what i has of the other
  auto const trained = [&](std::size_t i) {
    double const gradient = x[i] - (i == 0 ? 3 : -5);
    x[i] = 0.5 * x[i] + 0.5 * box[i] - 0.1 * gradient;
  };
  for (int turn = 0; turn < 5; ++turn) {
    trained(1), box[0] = x[1];
    trained(1), box[0] = x[1];
    trained(0), trained(1);  // at one time: both messages arrive afterwards
    box[0] = x[1], box[1] = x[0];
  }
  auto const run = run_of(2, swift<>{}, 3, valleys, 10);  // 20 trainings
  for (std::size_t i = 0; i < 2; ++i)
    CHECK(run.seen.back().rows[i][0] == Approx(x[i]).epsilon(1e-13));
  CHECK(run.report.virtual_seconds == Approx(0.15).epsilon(0.02));
}

TEST_CASE("SWIFT refuses weights that change, and no local steps", "[exchange]") {
  CHECK_THROWS_WITH((swift<gossip::one_peer>{}.check(gossip::exponential{8}.build())),
                    contains("swift: expected one matrix of weights for all rounds"));
  CHECK_THROWS_WITH(settled(ring{8}, swift<>{.local_steps = 0}, 1),
                    contains("swift: local_steps: expected a whole number of at least 1, got 0"));
}
