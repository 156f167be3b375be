// DecentLaM: the laws, and the fixed point of D-PSGD whatever the momentum.
#include <gossip/exchange/decent_lam.hpp>

#include <gossip/mixing/one_peer.hpp>
#include <gossip/topology/ring.hpp>

#include "laws.hpp"
#include "networks.hpp"

using namespace gossip::test;
using gossip::decent_lam;
using gossip::ring;

TEST_CASE("DecentLaM keeps the laws of exchanges", "[exchange]") {
  check_exchange(decent_lam<>{.momentum = 0.5}, {.keeps_mean = false});
}

TEST_CASE("DecentLaM without momentum keeps the mean, and is D-PSGD that adapts first",
          "[exchange]") {
  gossip::d_psgd<> const adapts{.order = gossip::mixing_order::adapt_then_combine};
  auto const one = settled(ring{8}, decent_lam<>{.momentum = 0}, 57);
  CHECK(one.rows == settled(ring{8}, adapts, 57).rows);
}

// The bias of D-PSGD, solved by NumPy; with local momentum of 0.8 it is 2.743423.
TEST_CASE("DecentLaM ends where D-PSGD ends, whatever its momentum", "[exchange]") {
  for (double const momentum : {0.0, 0.8}) {
    decent_lam<half_metropolis> const exchange{.momentum = momentum};
    CHECK(mean_square_from(-0.8, settled_by({.rate = 0.05}, ring{8}, exchange, 6000)) ==
          Approx(0.470912532449).margin(1e-11));
  }
}

TEST_CASE("DecentLaM refuses a momentum of 1, and weights that change", "[exchange]") {
  CHECK_THROWS_WITH(decent_lam<gossip::one_peer>{}.check(ring{8}.build()),
                    contains("decent_lam: expected one matrix of weights for all rounds"));
  CHECK_THROWS_WITH(settled(ring{8}, decent_lam<>{.momentum = 1}, 1),
                    contains("decent_lam: momentum: expected a number from 0 to below 1"));
}
