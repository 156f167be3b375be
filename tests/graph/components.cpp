// Tests of connected components.
#include <gossip/graph/components.hpp>

#include <vector>

#include <gossip/topology/ring.hpp>

#include "../catch.hpp"

using gossip::graph;

TEST_CASE("components are numbered by their smallest nodes", "[graph]") {
  auto const map = gossip::components(graph::undirected(7, {{5, 1}, {1, 3}, {0, 6}, {6, 0}}));

  CHECK(map.of == std::vector<gossip::node>{0, 1, 2, 1, 3, 1, 0});
  CHECK(map.sizes == std::vector<std::size_t>{2, 3, 1, 1});
  CHECK(map.largest() == 1);
}

TEST_CASE("arcs connect in both directions", "[graph]") {
  CHECK(gossip::is_connected(graph::directed(3, {{1, 0}, {1, 2}})));
  CHECK_FALSE(gossip::is_connected(graph::directed(3, {{1, 0}})));
}

TEST_CASE("a ring of any size is one component", "[graph]") {
  for (std::size_t n : {1U, 2U, 3U, 17U, 1000U})
    CHECK(gossip::components(gossip::ring{n}.build()).sizes == std::vector<std::size_t>{n});
}

TEST_CASE("the largest component of equals is the one with the smallest node", "[graph]") {
  auto const g = graph::undirected(5, {{4, 2}, {3, 1}});

  auto const part = gossip::largest_component(g);

  CHECK(part.nodes() == 2);
  CHECK(part.edges() == 1);
  CHECK(gossip::components(g).largest() == 1);
}

TEST_CASE("a network in pieces is refused in one sentence with the remedy", "[graph]") {
  auto const g = graph::undirected(6, {{0, 1}, {1, 2}});

  CHECK_THROWS_WITH(gossip::require_connected(g, "my graph"),
                    "my graph: the graph has 4 components (the largest has 3 of 6 nodes); set "
                    "allow_disconnected");
  CHECK_THROWS_WITH(
      gossip::require_connected(g, "my graph", "add edges"),
      "my graph: the graph has 4 components (the largest has 3 of 6 nodes); add edges");
  CHECK_THROWS_WITH(gossip::require_connected(graph(), "my graph"),
                    "my graph: expected at least one node, got none");
  CHECK_NOTHROW(gossip::require_connected(graph::undirected(1, {}), "my graph"));
}
