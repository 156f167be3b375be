// Tests of the torus.
#include <gossip/topology/torus.hpp>

#include "files.hpp"

using gossip::torus;

TEST_CASE("every node of a torus has four neighbours, across the borders too", "[topology]") {
  auto const g = torus{.rows = 3, .columns = 5}.build();

  CHECK(g.nodes() == 15);
  CHECK(g.edges() == 30);
  CHECK(g.dropped().duplicates == 0);
  for (std::size_t i = 0; i < g.nodes(); ++i) CHECK(g.degree(i) == 4);
  CHECK(g.has_edge(0, 1));   // right
  CHECK(g.has_edge(0, 4));   // left, across
  CHECK(g.has_edge(0, 5));   // down
  CHECK(g.has_edge(0, 10));  // up, across
}

TEST_CASE("sides of a torus below three are refused by name", "[topology]") {
  using gossip::test::refusal;
  CHECK(refusal(torus{.rows = 2, .columns = 5}) == "torus: rows must be at least 3, got 2");
  CHECK(refusal(torus{.rows = 5, .columns = 0}) == "torus: columns must be at least 3, got 0");
  CHECK(refusal(torus{.rows = 1'000'000'000'000, .columns = 1'000'000'000'000}) ==
        "torus: expected at most 268435456 edges, got about 2e+24");
}
