// Buffered gossip by ticks: the laws, ticks that are rounds of D-PSGD, and buffers by hand.
#include <gossip/exchange/buffered_gossip.hpp>

#include <gossip/clock/constant_time.hpp>
#include <gossip/exchange/d_psgd.hpp>
#include <gossip/topology/complete.hpp>

#include "laws.hpp"
#include "networks.hpp"

using namespace gossip::test;
using gossip::buffered_gossip;
using gossip::rounds;

TEST_CASE("buffered gossip keeps the laws of exchanges", "[exchange]") {
  using namespace std::chrono_literals;
  check_exchange(buffered_gossip{.least = 2, .most = 5}, {.keeps_mean = false});
  check_exchange(buffered_gossip{.tick = 100ms, .least = 1, .most = 3, .buffer = 2},
                 {.keeps_mean = false});
}

TEST_CASE("buffered gossip keeps the laws of exchanges where messages are lost", "[exchange]") {
  check_with_loss(buffered_gossip{.least = 2, .most = 5}, {.keeps_mean = false});
}

// All train at every tick and hear all others before it ends: rounds of D-PSGD, adapt then combine,
// with weights of 1/4. The run ends with the last training, before models of its tick are averaged.
TEST_CASE("ticks in which all train are rounds of D-PSGD", "[exchange]") {
  auto const run = [](auto const &exchange, std::uint64_t stop) {
    small_network network{gossip::complete{.nodes = 4}, alternating_valleys(),
                          gossip::sgd{.rate = 0.1}, exchange};
    return watched(network, {.stop = rounds{stop}}, at_the_end).seen.back();
  };
  auto const ticks = run(buffered_gossip{.least = 1, .most = 1, .keep = 0.25}, 12);
  auto const mixed = run(gossip::d_psgd<>{.order = gossip::mixing_order::adapt_then_combine}, 11);
  auto const valleys = alternating_valleys();
  for (gossip::node i = 0; i < 4; ++i) {
    double const x = mixed.rows[i][0];
    double const stepped = x - 0.1 * valleys.curvature[i] * (x - valleys.optimum[i]);
    CHECK(ticks.rows[i][0] == Approx(stepped).margin(1e-14));
  }
}

TEST_CASE("buffered gossip refuses ticks and shares that it cannot use", "[exchange]") {
  auto const run = [](buffered_gossip const &exchange) {
    gossip::check_on(exchange, gossip::graph::undirected(1, {}));
  };
  CHECK_THROWS_WITH(run({.least = 0}), contains("least: expected a whole number of at least 1"));
  CHECK_THROWS_WITH(run({.least = 5, .most = 4}), contains("expected 1 <= least <= most"));
  CHECK_THROWS_WITH(run({.keep = 1.5}), contains("keep: expected a number from 0 to 1, got 1.5"));
  CHECK_THROWS_WITH(run({.tick = gossip::virtual_time(1)}), contains("at least 2 ns"));
  CHECK_NOTHROW(run({.tick = gossip::virtual_time(2), .least = 1, .most = 1, .keep = 0.0}));
  CHECK_NOTHROW(run({.keep = 1.0}));
}
