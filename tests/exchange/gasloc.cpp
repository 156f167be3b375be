// GASLoC: the laws, its recursion by the eigenvalues of the ring, and its fixed point.
#include <gossip/exchange/gasloc.hpp>

#include <gossip/exchange/d_psgd.hpp>
#include <gossip/topology/ring.hpp>

#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>
#include <vector>

#include "laws.hpp"
#include "networks.hpp"

using namespace gossip::test;
using gossip::gasloc;
using gossip::outer_partners;
using gossip::ring;

TEST_CASE("GASLoC keeps the laws of exchanges", "[exchange]") {
  check_exchange(gasloc<>{.local_steps = 1, .momentum = 0});
  check_exchange(gasloc<>{.local_steps = 3, .share = 0.7},
                 {.keeps_mean = false, .reaches_mean = false});
  check_exchange(
      gasloc<>{.local_steps = 1, .momentum = 0, .partners = outer_partners::random_pairs});
}

// Where nobody learns, y+ = (1 + momentum - share lambda) y - momentum y_before for what the nodes
// have of an eigenvector of I - W, here waves around the ring; from y = start, and 0 before.
TEST_CASE("GASLoC on a ring is a recursion of two numbers for each wave", "[exchange]") {
  using complex = std::complex<double>;
  constexpr std::size_t n = 8;
  constexpr double momentum = 0.3, share = 0.8, turn = 2 * std::numbers::pi / n;
  constexpr int count = 11;
  std::vector<double> const start{3, 1, 4, 1, 5, 9, 2, 6};
  std::vector<complex> expected(n);
  for (std::size_t wave = 0; wave < n; ++wave) {
    auto const part = [&](std::size_t i) {
      return std::polar(1.0, turn * static_cast<double>(wave * i));
    };
    complex first = 0;
    for (std::size_t i = 0; i < n; ++i) first += start[i] * std::conj(part(i)) / double{n};
    double const lambda = 2.0 / 3 * (1 - std::cos(turn * static_cast<double>(wave)));
    complex const half = (1 + momentum - share * lambda) / 2,
                  root = std::sqrt(half * half - momentum);
    complex const z = half + root, other = half - root;
    // a z^k + b other^k with 0 at k = -1 and `first` at k = 0
    complex const now = first * (std::pow(z, count + 1) - std::pow(other, count + 1)) / (z - other);
    for (std::size_t i = 0; i < n; ++i) expected[i] += now * part(i);
  }
  gasloc<> const exchange{.local_steps = 1, .momentum = momentum, .share = share};
  auto const found = mixed_numbers(ring{n}, exchange, start, count);
  for (std::size_t i = 0; i < n; ++i) {
    CHECK(expected[i].imag() == Approx(0).margin(1e-12));
    CHECK(found[i] == Approx(expected[i].real()).epsilon(1e-12));
  }
}

// There u is the one before, and H steps move by (1 - (1 - rate a)^H) (y - b):
// y = (I - share (I - W)) (y - outer_rate (1 - (1 - rate a)^H) (y - b)), whatever the momentum.
TEST_CASE("GASLoC settles where it would without momentum", "[exchange]") {
  auto const valleys = alternating_valleys();
  gasloc<> exchange{.local_steps = 5, .outer_rate = 0.6, .momentum = 0, .share = 0.7};
  auto const plain = settled(ring{8}, exchange, 5000);
  exchange.momentum = 0.4;
  auto const heavy = settled(ring{8}, exchange, 5000);
  std::vector<double> u(8);
  for (std::size_t i = 0; i < 8; ++i) {
    double const y = heavy.rows[i][0];
    CHECK(y == Approx(plain.rows[i][0]).epsilon(1e-12));
    u[i] = y - 0.6 * (1 - std::pow(1 - 0.1 * valleys.curvature[i], 5)) * (y - valleys.optimum[i]);
  }
  for (std::size_t i = 0; i < 8; ++i)
    CHECK(heavy.rows[i][0] ==
          Approx(0.3 * u[i] + 0.7 * (u[(i + 7) % 8] + u[i] + u[(i + 1) % 8]) / 3).epsilon(1e-12));
}

TEST_CASE("GASLoC of one step without momentum is D-PSGD that adapts, then combines",
          "[exchange]") {
  gossip::d_psgd<> const adapting{.order = gossip::mixing_order::adapt_then_combine};
  auto const one = settled(ring{8}, gasloc<>{.local_steps = 1, .momentum = 0}, 57);
  auto const plain = settled(ring{8}, adapting, 57);
  for (std::size_t i = 0; i < 8; ++i)
    CHECK(one.rows[i][0] == Approx(plain.rows[i][0]).epsilon(1e-13));
}

TEST_CASE("GASLoC with random pairs averages them, and one is alone", "[exchange]") {
  gasloc<> const exchange{
      .local_steps = 1, .momentum = 0, .partners = outer_partners::random_pairs};
  auto x = mixed_numbers(ring{7}, exchange, {1, 2, 4, 8, 16, 32, 64}, 1);
  std::ranges::sort(x);
  std::size_t equal = 0;
  for (std::size_t i = 1; i < 7; ++i) equal += x[i] == x[i - 1];
  CHECK(equal == 3);
}

TEST_CASE("GASLoC refuses hyper-parameters out of range", "[exchange]") {
  CHECK_THROWS_WITH(settled(ring{8}, gasloc<>{.local_steps = 0}, 1),
                    contains("gasloc: local_steps: expected a whole number of at least 1, got 0"));
  CHECK_THROWS_WITH(settled(ring{8}, gasloc<>{.outer_rate = -1}, 1), contains("gasloc: outer_r"));
  CHECK_THROWS_WITH(settled(ring{8}, gasloc<>{.share = -1}, 1), contains("gasloc: share"));
  CHECK_THROWS_WITH(settled(ring{8}, gasloc<>{.momentum = 1}, 1),
                    contains("gasloc: momentum: expected a number from 0 to below 1"));
}
