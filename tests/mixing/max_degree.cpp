// Tests of max-degree weights.
#include <gossip/mixing/max_degree.hpp>

#include "../catch.hpp"

TEST_CASE("max-degree weights are the same on every edge", "[mixing]") {
  auto const g = gossip::graph::undirected(4, {{0, 1}, {0, 2}, {0, 3}, {2, 3}});
  auto const w = gossip::max_degree{}.weights(g);
  for (auto const e : g.edge_list()) CHECK(w.at(e.from, e.to) == Approx(0.25));
  CHECK(w.at(0, 0) == Approx(0.25));
  CHECK(w.at(1, 1) == Approx(0.75));
  CHECK(w.at(2, 2) == Approx(0.5));
}

TEST_CASE("max-degree refuses a directed graph", "[mixing]") {
  CHECK_THROWS_WITH(gossip::max_degree{}.weights(gossip::graph::directed(2, {{0, 1}})),
                    "max_degree: expected an undirected graph, got a directed graph");
}
