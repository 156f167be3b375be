// EXTRA: the laws, the common minimum, and the recursion as the paper writes it.
#include <gossip/exchange/extra.hpp>

#include <gossip/topology/ring.hpp>

#include "laws.hpp"
#include "networks.hpp"

using namespace gossip::test;
using gossip::extra;
using gossip::ring;

// Distances shrink as the root of (1 + lambda_2) / 2, too slowly for law 5 on the fan of 17.
TEST_CASE("EXTRA keeps the laws of exchanges", "[exchange]") {
  check_exchange(extra<>{}, {.reaches_mean = false});
}

TEST_CASE("EXTRA ends at the minimum of the sum, where D-PSGD has a bias", "[exchange]") {
  for (double const rate : {0.05, 0.1, 0.2}) {
    auto const found = settled_by({.rate = rate}, ring{8}, extra<>{}, 2000);
    for (auto const &row : found.rows) CHECK(row[0] == Approx(-0.8).margin(1e-11));
  }
}

// x++ = (I + W) x+ - (I + W) / 2 x - rate (g(x+) - g(x)).
TEST_CASE("EXTRA is the recursion of two rounds", "[exchange]") {
  auto const w = gossip::metropolis_hastings{}.weights(ring{8}.build());
  auto const valleys = alternating_valleys();
  auto const at = [&](std::uint64_t count) {
    std::vector<double> x;
    for (auto const &row : settled(ring{8}, extra<>{}, count).rows) x.push_back(row[0]);
    return x;
  };
  std::vector<double> const first = at(5), second = at(6), third = at(7);
  for (std::size_t i = 0; i < 8; ++i) {
    double expected =
        second[i] - 0.5 * first[i] - 0.1 * valleys.curvature[i] * (second[i] - first[i]);
    for (std::size_t j = 0; j < 8; ++j) expected += w.at(i, j) * (second[j] - 0.5 * first[j]);
    CHECK(third[i] == Approx(expected).epsilon(1e-12));
  }
}
