// Tests of the hypercube: its definition, and the spectrum of its weights in closed form.
#include <gossip/topology/hypercube.hpp>

#include <bit>
#include <cstddef>

#include <gossip/mixing/metropolis_hastings.hpp>
#include <gossip/mixing/spectrum.hpp>

#include "files.hpp"

using gossip::hypercube;

TEST_CASE("nodes of a hypercube are joined where their numbers differ in one bit", "[topology]") {
  for (std::size_t dimension = 0; dimension < 6; ++dimension) {
    hypercube const cube{.dimension = dimension};
    auto const g = cube.build();
    CHECK(g.nodes() == std::size_t{1} << dimension);
    CHECK(g.nodes() == cube.size().nodes);
    CHECK(static_cast<double>(g.edges()) == cube.size().edges);
    for (std::size_t i = 0; i < g.nodes(); ++i)
      for (std::size_t j = 0; j < g.nodes(); ++j)
        CHECK(g.has_edge(static_cast<gossip::node>(i), static_cast<gossip::node>(j)) ==
              (std::popcount(i ^ j) == 1));
  }
}

TEST_CASE("the gap of a hypercube is 2 / (dimension + 1)", "[topology]") {
  for (std::size_t dimension = 1; dimension < 9; ++dimension) {
    auto const w = gossip::metropolis_hastings{}.weights(hypercube{dimension}.build());
    // The second largest modulus is that of k = 1 and of k = dimension.
    double const gap = 2.0 / static_cast<double>(dimension + 1);
    CHECK(gossip::spectral_gap(w).gap == Approx(gap).margin(1e-9));
  }
}

TEST_CASE("a hypercube of too many nodes is refused", "[topology]") {
  CHECK(gossip::test::refusal(hypercube{.dimension = 27}) ==
        "hypercube: expected a dimension of at most 26, got 27");
}
