// Quasi-global momentum: the laws, and the fixed point of D-PSGD, which local momentum moves.
#include <gossip/exchange/quasi_global_momentum.hpp>

#include <gossip/topology/ring.hpp>

#include "laws.hpp"
#include "networks.hpp"

using namespace gossip::test;
using gossip::quasi_global_momentum;
using gossip::ring;

namespace {

double bias_of(gossip::sgd const &optimizer, some_exchange const &exchange) {
  return mean_square_from(-0.8, settled_by(optimizer, ring{8}, exchange, 6000));
}

gossip::d_psgd<half_metropolis> const half_d_psgd{.order =
                                                      gossip::mixing_order::adapt_then_combine};

}  // namespace

TEST_CASE("quasi-global momentum keeps the laws of exchanges", "[exchange]") {
  check_exchange(quasi_global_momentum<>{.momentum = 0.5, .nesterov = true}, {.keeps_mean = false});
}

// Where nothing moves any more the momentum is none: the fixed point is that of x = W (x - rate
// g(x)), solved by NumPy, whatever the momentum. Nesterov's gradient is 1 + momentum times as long.
TEST_CASE("quasi-global momentum ends where D-PSGD ends without one", "[exchange]") {
  constexpr double bias = 0.470912532449;
  CHECK(bias_of({.rate = 0.05}, half_d_psgd) == Approx(bias).margin(1e-12));
  for (double const decay : {0.5, 0.9}) {
    quasi_global_momentum<half_metropolis> exchange{.momentum = 0.8, .decay = decay};
    CHECK(bias_of({.rate = 0.05}, exchange) == Approx(bias).margin(1e-11));
    exchange.nesterov = true;
    CHECK(bias_of({.rate = 0.05 / 1.8}, exchange) == Approx(bias).margin(1e-11));
  }
  CHECK(bias_of({.rate = 0.05, .momentum = 0.8}, half_d_psgd) == Approx(2.743423).margin(1e-6));
}

TEST_CASE("quasi-global momentum stays as it is where the rate is 0", "[exchange]") {
  small_network network{
      ring{8}, alternating_valleys(),
      gossip::scheduled{gossip::sgd{.rate = 0.05}, gossip::step_decay{.at = {5}, .gamma = 0}},
      quasi_global_momentum<>{}};
  auto const end = watched(network, {.stop = gossip::rounds{400}}, at_the_end).seen.back();
  CHECK(end.distance() < 1e-20);  // mixed only, from the fifth epoch on
  CHECK(std::abs(end.mean(0)) > 0.01);
}

TEST_CASE("quasi-global momentum without momentum is D-PSGD that adapts first", "[exchange]") {
  gossip::d_psgd<> const adapts{.order = gossip::mixing_order::adapt_then_combine};
  CHECK(settled(ring{8}, quasi_global_momentum<>{.momentum = 0}, 57).rows ==
        settled(ring{8}, adapts, 57).rows);
}

TEST_CASE("quasi-global momentum refuses momentum and decay out of range", "[exchange]") {
  CHECK_THROWS_WITH(settled(ring{8}, quasi_global_momentum<>{.momentum = -1}, 2),
                    contains("quasi_global_momentum: momentum: expected a number from 0"));
  CHECK_THROWS_WITH(settled(ring{8}, quasi_global_momentum<>{.decay = 1}, 2),
                    contains("quasi_global_momentum: decay: expected a number from 0 to below 1"));
}
