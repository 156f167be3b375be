// Tests of small worlds: their two ends, the number of rewired edges, connectedness.
#include <gossip/topology/watts_strogatz.hpp>

#include <cmath>

#include <gossip/graph/components.hpp>
#include <gossip/topology/ring_lattice.hpp>

#include "files.hpp"

using gossip::watts_strogatz;

namespace {

// Edges that the lattice does not have.
std::size_t rewired_edges(watts_strogatz const &world, std::uint64_t seed) {
  auto const lattice = gossip::ring_lattice{world.nodes, world.degree}.build();
  std::size_t count = 0;
  for (auto const e : world.build(seed).edge_list()) count += !lattice.has_edge(e.from, e.to);
  return count;
}

}  // namespace

TEST_CASE("without rewiring a small world is a ring lattice", "[topology]") {
  CHECK(watts_strogatz{20, 6, 0.0}.build(3) == gossip::ring_lattice{20, 6}.build());
  CHECK(watts_strogatz{.nodes = 1, .degree = 0}.build(1).nodes() == 1);
}

TEST_CASE("edges are rewired with the probability that is asked for", "[topology]") {
  // 4000 edges with probability 0.3 each: 1200, standard deviation 29; one in 250 leads to a place
  // of the lattice again.
  double const found = static_cast<double>(rewired_edges({1000, 8, 0.3}, 5));
  CHECK(std::abs(found - 1200) < 5 * 29);
  CHECK(watts_strogatz{1000, 8, 0.3}.build(5).edges() == 4000);
}

TEST_CASE("a small world is connected, simple, and every node keeps half of its edges",
          "[topology]") {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    auto const g = watts_strogatz{40, 4, 1.0}.build(seed);
    CHECK(g.edges() == 80);
    CHECK(g.dropped().duplicates == 0);
    CHECK(gossip::is_connected(g));
    for (std::size_t i = 0; i < 40; ++i) CHECK(g.degree(i) >= 2);
  }
  CHECK(watts_strogatz{40, 4, 0.5}.build(1) == watts_strogatz{40, 4, 0.5}.build(1));
  CHECK_FALSE(watts_strogatz{40, 4, 0.5}.build(1) == watts_strogatz{40, 4, 0.5}.build(2));
}

TEST_CASE("a node joined to all others keeps its edges", "[topology]") {
  CHECK(watts_strogatz{5, 4, 1.0}.build(1).edges() == 10);
}

TEST_CASE("a small world of impossible members is refused", "[topology]") {
  CHECK(gossip::test::refusal(watts_strogatz{8, 4, 1.5}) ==
        "watts_strogatz: rewired: expected a probability from 0 to 1, got 1.5");
  CHECK(gossip::test::refusal(watts_strogatz{8, 0, 0.5}) ==
        "watts_strogatz: degree: expected an even number from 2, below nodes (8), got 0");
}
