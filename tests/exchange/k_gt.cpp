// K-GT: the laws, the common minimum, and gradient tracking for one local step.
#include <gossip/exchange/k_gt.hpp>

#include <gossip/exchange/gradient_tracking.hpp>
#include <gossip/mixing/one_peer.hpp>
#include <gossip/topology/exponential.hpp>
#include <gossip/topology/ring.hpp>

#include "laws.hpp"
#include "networks.hpp"

using namespace gossip::test;
using gossip::k_gt;
using gossip::ring;

TEST_CASE("K-GT keeps the laws of exchanges", "[exchange]") {
  check_exchange(k_gt<>{.local_steps = 1});
  // Mixed every third round, distances need more than the 120 rounds of law 5.
  check_exchange(k_gt<>{.local_steps = 3}, {.reaches_mean = false});
}

TEST_CASE("K-GT ends at the minimum of the sum, whatever its local steps", "[exchange]") {
  for (std::uint64_t const steps : {1, 2, 5}) {
    k_gt<> const exchange{.local_steps = steps, .scale = 0.5};
    for (auto const &row : settled_by({.rate = 0.02}, ring{8}, exchange, 10000).rows)
      CHECK(row[0] == Approx(-0.8).margin(1e-11));
  }
}

TEST_CASE("K-GT of one step is gradient tracking that adapts, then combines", "[exchange]") {
  gossip::gradient_tracking<> const adapting{.order = gossip::mixing_order::adapt_then_combine};
  auto const one = settled_by({.rate = 0.05}, ring{8}, k_gt<>{.local_steps = 1}, 57);
  auto const tracked = settled_by({.rate = 0.05}, ring{8}, adapting, 57);
  for (std::size_t i = 0; i < 8; ++i)
    CHECK(one.rows[i][0] == Approx(tracked.rows[i][0]).epsilon(1e-12));
}

// Of sixteen nodes every fourth round has the same peer; mixtures take one after the other.
TEST_CASE("K-GT takes the weights of a round in turns, one a mixture", "[exchange]") {
  std::vector<double> start(16);
  for (std::size_t i = 0; i < start.size(); ++i) start[i] = static_cast<double>(i * i);
  k_gt<gossip::one_peer> const exchange{.local_steps = 4};
  for (double const x : mixed_numbers(gossip::exponential{16}, exchange, start, 16))
    CHECK(x == Approx(77.5).epsilon(1e-13));
}

TEST_CASE("K-GT refuses hyper-parameters out of range", "[exchange]") {
  CHECK_THROWS_WITH(settled(ring{8}, k_gt<>{.local_steps = 0}, 1),
                    contains("k_gt: local_steps: expected a whole number of at least 1, got 0"));
  CHECK_THROWS_WITH(settled(ring{8}, k_gt<>{.scale = -1}, 1), contains("k_gt: scale"));
}
