// NoLoCo: the laws, the mean as heavy ball, and how far apart its nodes are.
#include <gossip/exchange/noloco.hpp>

#include <gossip/topology/ring.hpp>

#include <algorithm>
#include <cmath>

#include "laws.hpp"
#include "networks.hpp"

using namespace gossip::test;
using gossip::noloco;
using gossip::ring;

namespace {

/// (1/n) sum_i |x_i - mean|^2 after rounds 1 to 7 of one local step, in which nodes start apart and
/// nobody learns any more, summed over so many runs of 64 columns.
std::vector<double> distances(std::size_t nodes, noloco const &exchange, std::uint64_t runs) {
  std::vector<double> sums(7, 0.0);
  for (std::uint64_t seed = 1; seed <= runs; ++seed) {
    small_network network{ring{nodes}, scattered<64>{}, gossip::sgd{.rate = 1.0},
                          some_exchange{exchange}};
    auto const seen = watched(network, {.seed = seed, .stop = gossip::rounds{7}}, 1.0).seen;
    for (std::size_t k = 0; k < seen.size(); ++k) sums[k] += seen[k].distance();
  }
  return sums;
}

}  // namespace

TEST_CASE("NoLoCo keeps the laws of exchanges", "[exchange]") {
  check_exchange(noloco{.local_steps = 1, .outer_rate = 1, .outer_momentum = 0});
  check_exchange(noloco{.local_steps = 3}, {.keeps_mean = false, .reaches_mean = false});
}

// Averages keep the mean, so it takes steps of heavy ball by the mean of x - y, which for valleys
// of curvature 1 is (1 - (1 - rate)^H) (mean optimum - y), whoever meets whom.
TEST_CASE("the mean of NoLoCo's nodes takes steps of heavy ball", "[exchange]") {
  gossip::quadratic<1> const valleys{.curvature = {1.0}, .optimum = {1, 2, 3, 4, 5, 6, 7, 12}};
  noloco const exchange{.local_steps = 3, .outer_rate = 0.8, .outer_momentum = 0.6, .pull = 0.9};
  double const share = 1 - std::pow(1 - 0.1, 3);
  double y = 0, m = 0;
  for (std::uint64_t outer = 1; outer <= 9; ++outer) {
    m = 0.6 * m + 0.8 * share * (5 - y);
    y += m;
    CHECK(settled(ring{8}, exchange, 3 * outer, valleys).mean(0) == Approx(y).epsilon(1e-13));
  }
}

// Both take the same step from the same start.
TEST_CASE("two nodes of NoLoCo hold one model", "[exchange]") {
  gossip::quadratic<1> const valleys{.curvature = {1.0, 2.0}, .optimum = {3, -5}};
  noloco const exchange{.local_steps = 3};
  CHECK(settled(ring{2}, exchange, 31, valleys).distance() > 0.01);
  CHECK(settled(ring{2}, exchange, 30, valleys).distance() == 0);
}

// On what differs between n nodes, n even, the W of a random matching is a projection with the
// expectation 1 - q, q = n / (2 (n - 1)). So A = E|y|^2, B = E y.m and C = E|m|^2 follow a linear
// recursion, from y = m behind the first round.
TEST_CASE("NoLoCo's nodes are as far apart as its expected squares", "[exchange]") {
  constexpr double n = 8, q = n / (2 * (n - 1)), momentum = 0.5;
  for (double const pull : {0.7, 1.0}) {
    noloco const exchange{.local_steps = 1, .outer_momentum = momentum, .pull = pull};
    auto const found = distances(8, exchange, 400);
    double A = found[0], B = A, C = A;
    for (std::size_t k = 1; k < found.size(); ++k) {
      double const next =
          momentum * momentum * C - 2 * momentum * pull * q * B + pull * pull * q * A;
      double const across = momentum * B - pull * q * A;
      A += 2 * across + next;
      B = across + next;
      C = next;
      CHECK(found[k] == Approx(A).epsilon(0.1));
    }
  }
}

TEST_CASE("NoLoCo's nodes drift apart where the pull is too strong for the momentum",
          "[exchange]") {
  auto const widest = [](double momentum) {
    noloco const exchange{.local_steps = 1, .outer_momentum = momentum};
    auto const x = mixed_numbers(ring{8}, exchange, {1, 5, 2, 4, 8, 5, 7, 0}, 400);
    return *std::ranges::max_element(x) - *std::ranges::min_element(x);
  };
  CHECK(widest(0.9) > 1e3);
  CHECK(widest(0.5) < 1e-12);
}

TEST_CASE("NoLoCo counts a row each way for a pair", "[exchange]") {
  small_network network{ring{5}, alternating_valleys(), gossip::sgd{.rate = 0.1},
                        noloco{.local_steps = 2}};
  CHECK(watched(network, {.stop = gossip::rounds{6}}, at_the_end).report.bytes_sent ==
        3 * 4 * sizeof(double));
}

TEST_CASE("NoLoCo refuses hyper-parameters out of range", "[exchange]") {
  CHECK_THROWS_WITH(settled(ring{8}, noloco{.local_steps = 0}, 1),
                    contains("noloco: local_steps: expected a whole number of at least 1, got 0"));
  CHECK_THROWS_WITH(settled(ring{8}, noloco{.outer_rate = -1}, 1), contains("noloco: outer_rate"));
  CHECK_THROWS_WITH(settled(ring{8}, noloco{.outer_momentum = 1}, 1),
                    contains("noloco: outer_momentum: expected a number from 0 to below 1"));
  CHECK_THROWS_WITH(settled(ring{8}, noloco{.pull = -1}, 1), contains("noloco: pull"));
}
