// Tests of the graph itself.
#include <gossip/graph/graph.hpp>

#include <vector>

#include "../catch.hpp"

using gossip::edge;
using gossip::graph;

TEST_CASE("an undirected graph merges both directions and drops self-loops", "[graph]") {
  auto const g = graph::undirected(4, {{2, 0}, {0, 2}, {0, 1}, {3, 3}, {0, 1}, {1, 2}});

  CHECK(g.nodes() == 4);
  CHECK(g.edges() == 3);
  CHECK_FALSE(g.directed());
  CHECK(g.dropped().self_loops == 1);
  CHECK(g.dropped().duplicates == 2);
  CHECK(g.edge_list() == std::vector<edge>{{0, 1}, {0, 2}, {1, 2}});
  CHECK(g.degree(0) == 2);
  CHECK(g.degree(3) == 0);
  CHECK(g.neighbors(3).empty());
}

TEST_CASE("neighbours ascend and has_edge agrees with them", "[graph]") {
  auto const g = graph::undirected(5, {{4, 2}, {2, 0}, {3, 2}});

  std::vector<gossip::node> const near(g.neighbors(2).begin(), g.neighbors(2).end());
  CHECK(near == std::vector<gossip::node>{0, 3, 4});
  CHECK(g.has_edge(2, 4));
  CHECK(g.has_edge(4, 2));
  CHECK_FALSE(g.has_edge(0, 4));
  CHECK_FALSE(g.has_edge(1, 1));
}

TEST_CASE("a directed graph keeps both directions apart and can be reversed", "[graph]") {
  auto const g = graph::directed(3, {{0, 1}, {1, 0}, {1, 2}, {1, 2}, {2, 2}});

  CHECK(g.directed());
  CHECK(g.edges() == 3);
  CHECK(g.dropped().self_loops == 1);
  CHECK(g.dropped().duplicates == 1);
  CHECK(g.has_edge(1, 2));
  CHECK_FALSE(g.has_edge(2, 1));
  CHECK(g.reversed().edge_list() == std::vector<edge>{{0, 1}, {1, 0}, {2, 1}});
  CHECK(g.reversed().reversed() == g);
  CHECK(g.reversed().dropped().self_loops == 1);
}

TEST_CASE("one node is a graph without edges and none is an empty one", "[graph]") {
  CHECK(graph::undirected(1, {}).nodes() == 1);
  CHECK(graph::undirected(1, {}).edges() == 0);
  CHECK(graph().nodes() == 0);
  CHECK(graph::undirected(0, {}) == graph());
}

TEST_CASE("an induced graph renumbers the nodes it keeps", "[graph]") {
  auto const g = graph::undirected(5, {{0, 2}, {2, 4}, {4, 1}, {1, 3}, {3, 3}});
  std::vector<gossip::node> const kept{1, 2, 4};

  auto const part = g.induced(kept);

  CHECK(part.nodes() == 3);
  CHECK(part.edge_list() == std::vector<edge>{{0, 2}, {1, 2}});
  CHECK(part.dropped().self_loops == 1);
}

TEST_CASE("a pair outside of the nodes is refused", "[graph]") {
  CHECK_THROWS_WITH(graph::undirected(3, {{0, 1}, {1, 3}}), "graph: expected nodes below 3, got 3");
  CHECK_THROWS_WITH(graph::directed(0, {{0, 1}}), "graph: expected nodes below 0, got 1");
}

TEST_CASE("a graph that changes is the union of its rounds", "[graph]") {
  auto const a = graph::undirected(4, {{0, 1}, {2, 3}}), b = graph::undirected(4, {{1, 2}, {0, 1}});
  auto const both = graph::changing(std::vector{a, b});
  REQUIRE(both.rounds() != nullptr);
  CHECK((*both.rounds())[3] == b);
  CHECK(both.edge_list() == graph::undirected(4, {{0, 1}, {1, 2}, {2, 3}}).edge_list());
  CHECK(both.dropped().duplicates == 0);
  CHECK(a.rounds() == nullptr);
  CHECK_FALSE(both == graph::undirected(4, {{0, 1}, {1, 2}, {2, 3}}));
  CHECK(both == graph::changing(std::vector{a, b}));
  CHECK_FALSE(both == graph::changing(std::vector{b, a}));
  CHECK((*both.induced(std::vector<gossip::node>{0, 1, 2}).rounds())[0] ==
        graph::undirected(3, {{0, 1}}));

  auto const there = graph::directed(2, {{0, 1}}), back = graph::directed(2, {{1, 0}});
  auto const turned = graph::changing(std::vector{there, back}).reversed();
  CHECK((*turned.rounds())[0] == back);
  CHECK(turned.edges() == 2);
}

TEST_CASE("rounds of different networks are refused", "[graph]") {
  CHECK_THROWS_WITH(
      graph::changing(std::vector{graph::undirected(2, {}), graph::undirected(3, {})}),
      "graph: expected rounds with equal numbers of nodes, either all directed or all undirected, "
      "got 2 and 3 nodes, or a directed and an undirected round");
  CHECK_THROWS_AS(graph::changing(std::vector{graph::undirected(2, {}), graph::directed(2, {})}),
                  gossip::input_error);
  CHECK_THROWS_WITH(graph::changing({}), "graph: expected at least one round, got none");
}
