// K-GT: the laws, the common minimum, and gradient tracking for one local step.
#include <gossip/exchange/k_gt.hpp>

#include <gossip/exchange/gradient_tracking.hpp>
#include <gossip/topology/ring.hpp>

#include "conformance.hpp"
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

TEST_CASE("K-GT refuses hyper-parameters out of range", "[exchange]") {
  CHECK_THROWS_WITH(settled(ring{8}, k_gt<>{.local_steps = 0}, 1), contains("k_gt: expected"));
  CHECK_THROWS_WITH(settled(ring{8}, k_gt<>{.scale = -1}, 1), contains("k_gt: scale"));
}
