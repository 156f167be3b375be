// D-PSGD with mixed momentum: the laws and its fixed point in closed form.
#include <gossip/exchange/momentum_mixing.hpp>

#include <gossip/topology/ring.hpp>

#include "laws.hpp"
#include "networks.hpp"

using namespace gossip::test;
using gossip::ring;

namespace {

snapshot settled_with_momentum(some_exchange const &exchange) {
  return settled_by({.rate = 0.02, .momentum = 0.8}, ring{8}, exchange, 4000);
}

}  // namespace

TEST_CASE("mixed momentum keeps the laws", "[exchange]") {
  check_exchange(gossip::momentum_mixing<>{},
                 {.keeps_mean = false, .momentum = 0.5, .optimizer_rows = 1});
}

// x = W (x - eta v), v = beta W v + A (x - b), so (I - W + eta W M A) x = eta W M A b with
// M = (I - beta W)^-1; solved by NumPy. With momentum that stays local, M = I / (1 - beta).
TEST_CASE("mixed momentum ends nearer to the minimum than local momentum", "[exchange]") {
  auto const mixed = settled_with_momentum(gossip::momentum_mixing<>{});
  CHECK(mixed.mean(0) == Approx(-0.8171659576521295).epsilon(1e-12));
  CHECK(mixed.distance() == Approx(0.14608633393219383).epsilon(1e-12));
  auto const local =
      settled_with_momentum(gossip::d_psgd<>{.order = gossip::mixing_order::adapt_then_combine});
  CHECK(local.mean(0) == Approx(-0.841071782292549).epsilon(1e-9));
  CHECK(local.distance() == Approx(0.3981008341821479).epsilon(1e-9));
}

TEST_CASE("mixed momentum needs an optimizer that has one", "[exchange]") {
  small_network network{ring{4}, gossip::quadratic<1>{}, gossip::sgd{.rate = 0.1},
                        gossip::momentum_mixing<>{}};
  CHECK_THROWS_WITH(network.run({.stop = gossip::rounds{2}}),
                    contains("names row 0 of the optimizer, which keeps 0; expected an optimizer "
                             "that keeps it, such as sgd with a momentum above 0"));
}
