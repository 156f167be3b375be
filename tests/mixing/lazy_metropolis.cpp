// Lazy Metropolis weights: entries by hand, eigenvalues in closed form, the bound on the gap.
#include <gossip/mixing/lazy_metropolis.hpp>

#include <gossip/mixing/spectrum.hpp>
#include <gossip/topology/ring.hpp>
#include <gossip/topology/star.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <vector>

#include "../catch.hpp"

TEST_CASE("lazy Metropolis weights halve those of the larger degree", "[mixing]") {
  auto const g = gossip::graph::undirected(4, {{0, 1}, {0, 2}, {0, 3}, {2, 3}});
  auto const w = gossip::lazy_metropolis{}.weights(g);
  CHECK(w.at(0, 1) == Approx(1.0 / 6));
  CHECK(w.at(2, 3) == Approx(1.0 / 4));
  CHECK(w.at(0, 0) == Approx(1.0 / 2));
  CHECK(w.at(1, 1) == Approx(5.0 / 6));
  CHECK(w.is_symmetric(0.0));
  CHECK(w.is_doubly_stochastic(1e-15));
}

// The eigenvalues of a ring's circulant matrix are 1/2 + cos(2 pi k / n) / 2.
TEST_CASE("lazy Metropolis weights of a ring have the eigenvalues of a lazy walk", "[mixing]") {
  for (std::size_t const n : {3, 6, 11}) {
    auto const found =
        gossip::eigenvalues(gossip::lazy_metropolis{}.weights(gossip::ring{n}.build()));
    std::vector<double> expected;
    for (std::size_t k = 0; k < n; ++k)
      expected.push_back(0.5 + 0.5 * std::cos(2 * std::numbers::pi * static_cast<double>(k) /
                                              static_cast<double>(n)));
    std::ranges::sort(expected);
    auto got = found;
    std::ranges::sort(got);
    REQUIRE(got.size() == n);
    for (std::size_t k = 0; k < n; ++k) CHECK(got[k] == Approx(expected[k]).margin(1e-12));
  }
}

// A star of n nodes: I - L / (2 (n - 1)) with the Laplacian's eigenvalues 0, 1 (n - 2 times), n.
TEST_CASE("lazy Metropolis weights of a star have no negative eigenvalue", "[mixing]") {
  std::size_t const n = 9;
  auto found = gossip::eigenvalues(gossip::lazy_metropolis{}.weights(gossip::star{n}.build()));
  std::ranges::sort(found);
  CHECK(found.front() == Approx(1 - 9.0 / 16));
  CHECK(found[1] == Approx(1 - 1.0 / 16));
  CHECK(found[n - 2] == Approx(1 - 1.0 / 16));
  CHECK(found[n - 1] == Approx(1));
  CHECK(1 - found[n - 2] >= 1 / (71.0 * n * n));
}

TEST_CASE("lazy Metropolis refuses a directed graph", "[mixing]") {
  CHECK_THROWS_WITH(gossip::lazy_metropolis{}.weights(gossip::graph::directed(2, {{0, 1}})),
                    "lazy_metropolis: expected an undirected graph, got a directed graph");
}
