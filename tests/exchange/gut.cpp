// Global update tracking: the laws, its fixed points, and the weights with which it diverges.
#include <gossip/exchange/gut.hpp>

#include <gossip/exchange/d_psgd.hpp>
#include <gossip/mixing/lazy_metropolis.hpp>
#include <gossip/topology/ring.hpp>

#include <cmath>

#include "laws.hpp"
#include "networks.hpp"

using namespace gossip::test;
using gossip::gradient_point;
using gossip::gut;
using gossip::lazy_metropolis;
using gossip::mixing_order;
using gossip::ring;

TEST_CASE("global update tracking keeps the laws of exchanges", "[exchange]") {
  check_exchange(gut<>{.tracking = 0.5});
  check_exchange(gut<lazy_metropolis>{.tracking = 0, .point = gradient_point::own});
}

// What is tracked counts once in the sum of all rounds: x = W x - rate (1 - tracking) g(x).
TEST_CASE("global update tracking ends where D-PSGD ends at a smaller rate", "[exchange]") {
  gut<lazy_metropolis> const exchange{.tracking = 0.8, .point = gradient_point::own};
  auto const found = settled_by({.rate = 0.05}, ring{8}, exchange, 8000);
  auto const plain = settled_by({.rate = 0.01}, ring{8},
                                gossip::d_psgd<some_weights>{.rule = lazy_metropolis{}}, 8000);
  for (std::size_t i = 0; i < 8; ++i)
    CHECK(found.rows[i][0] == Approx(plain.rows[i][0]).epsilon(1e-11));
  CHECK(std::abs(found.rows[0][0] - found.rows[1][0]) > 0.01);
}

// With gradients at z = W x, x = z - rate (1 - tracking) g(z) and z = W x: z is the fixed point of
// D-PSGD that adapts, then combines.
TEST_CASE("global update tracking by mixed models ends behind D-PSGD that adapts first",
          "[exchange]") {
  auto const valleys = alternating_valleys();
  auto const found = settled_by({.rate = 0.05}, ring{8}, gut<>{.tracking = 0.8}, 8000);
  gossip::d_psgd<> const adapting{.order = mixing_order::adapt_then_combine};
  auto const plain = settled_by({.rate = 0.01}, ring{8}, adapting, 8000);
  for (std::size_t i = 0; i < 8; ++i) {
    double const z = plain.rows[i][0];
    CHECK(found.rows[i][0] ==
          Approx(z - 0.01 * valleys.curvature[i] * (z - valleys.optimum[i])).epsilon(1e-11));
  }
}

// Where all curvatures are a, what nodes have of an eigenvector of lambda follows
// z^2 - (lambda (1 + tracking) - rate a) z + tracking (lambda - rate a) with gradients at x, whose
// root is below -1 for lambda = -1/3, tracking 0.9 and rate a = 0.1; at W x both are within.
TEST_CASE("global update tracking diverges on a ring with gradients at own models", "[exchange]") {
  gossip::quadratic<1> const valleys{.curvature = {1.0}, .optimum = {1, -2, 3, -4, 5, -6, 7, -8}};
  auto const alternating = [&](gradient_point point, std::uint64_t count) {
    auto const end = settled(ring{8}, gut<>{.point = point}, count, valleys);
    double sum = 0;
    for (std::size_t i = 0; i < 8; ++i) sum += (i % 2 == 0 ? 1.0 : -1.0) * end.rows[i][0];
    return sum;
  };
  double const half = (-1.9 / 3 - 0.1) / 2, constant = 0.9 * (-1.0 / 3 - 0.1);
  double const root = half - std::sqrt(half * half - constant);
  CHECK(root < -1);
  CHECK(alternating(gradient_point::own, 601) / alternating(gradient_point::own, 600) ==
        Approx(root).epsilon(1e-3));
  CHECK(std::abs(alternating(gradient_point::mixed, 601) -
                 alternating(gradient_point::mixed, 600)) < 1e-12);
}

TEST_CASE("global update tracking sends one model to each neighbor", "[exchange]") {
  small_network network{ring{8}, alternating_valleys(), gossip::sgd{.rate = 0.1}, gut<>{}};
  CHECK(watched(network, {.stop = gossip::rounds{6}}, at_the_end).report.bytes_sent ==
        6 * 16 * sizeof(double));
}

TEST_CASE("global update tracking refuses a tracking of 1", "[exchange]") {
  CHECK_THROWS_WITH(settled(ring{8}, gut<>{.tracking = 1}, 1),
                    contains("gut: tracking: expected a number from 0 to below 1"));
}
