// Tests of the way to the Boost Graph Library and back.
#include <gossip/graph/boost.hpp>

#include <vector>

#include <boost/graph/adjacency_matrix.hpp>
#include <boost/graph/connected_components.hpp>
#include <boost/graph/grid_graph.hpp>

#include <gossip/graph/components.hpp>
#include <gossip/topology/erdos_renyi.hpp>
#include <gossip/topology/torus.hpp>

#include "../catch.hpp"

using gossip::edge;
using gossip::from_boost;
using gossip::graph;
using gossip::to_boost;

TEST_CASE("an adjacency list becomes a graph without loops and parallel edges", "[graph]") {
  boost::adjacency_list<boost::vecS, boost::vecS, boost::undirectedS> made(4);
  add_edge(0, 1, made);
  add_edge(1, 0, made);
  add_edge(2, 2, made);
  add_edge(2, 3, made);

  auto const g = from_boost(made);

  CHECK(g.edge_list() == std::vector<edge>{{0, 1}, {2, 3}});
  CHECK(g.dropped().self_loops == 1);
  CHECK(g.dropped().duplicates == 1);
}

TEST_CASE("a directed Boost graph stays directed", "[graph]") {
  boost::adjacency_list<boost::vecS, boost::vecS, boost::bidirectionalS> made(3);
  add_edge(2, 0, made);
  add_edge(0, 2, made);
  auto const g = from_boost(made);
  CHECK(g.directed());
  CHECK(g.edge_list() == std::vector<edge>{{0, 2}, {2, 0}});
}

TEST_CASE("other Boost models become graphs too", "[graph]") {
  boost::adjacency_matrix<boost::undirectedS> matrix(3);
  add_edge(0, 2, matrix);
  CHECK(from_boost(matrix).edge_list() == std::vector<edge>{{0, 2}});

  boost::grid_graph<2> const grid(boost::array<std::size_t, 2>{{4, 3}}, true);
  CHECK(from_boost(grid).nodes() == 12);
  CHECK(from_boost(grid).edges() == gossip::torus{3, 4}.build().edges() * 2);  // arcs
}

TEST_CASE("vertices without numbers of their own take an index map", "[graph]") {
  using list = boost::adjacency_list<boost::vecS, boost::listS, boost::undirectedS,
                                     boost::property<boost::vertex_index_t, std::size_t>>;
  list made;
  auto const a = add_vertex({1}, made);
  auto const b = add_vertex({0}, made);
  auto const c = add_vertex({2}, made);
  add_edge(a, c, made);
  add_edge(b, a, made);
  CHECK(from_boost(made).edge_list() == std::vector<edge>{{0, 1}, {1, 2}});
  CHECK(from_boost(made, get(boost::vertex_index, made)).nodes() == 3);
  put(boost::vertex_index, made, c, 3);
  CHECK_THROWS_WITH(from_boost(made), "from_boost: expected vertex indices below 3, got 3");
}

TEST_CASE("a graph survives the way to Boost and back", "[graph]") {
  auto const g = gossip::erdos_renyi{100, 0.05, true}.build(1);
  CHECK(from_boost(to_boost(g)) == g);
  auto const arcs = graph::directed(3, {{0, 1}, {1, 0}, {2, 1}});
  CHECK(from_boost(to_boost<boost::directedS>(arcs)) == arcs);
  CHECK(from_boost(to_boost<boost::bidirectionalS>(arcs)) == arcs);
  CHECK_THROWS_WITH(to_boost(arcs), "to_boost: expected an undirected graph, got a directed graph");
  CHECK_THROWS_WITH(to_boost<boost::directedS>(g),
                    "to_boost: expected a directed graph, got an undirected graph");
}

TEST_CASE("our components are those of Boost", "[graph]") {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    auto const g = gossip::erdos_renyi{200, 0.006, true}.build(seed);
    std::vector<int> of(g.nodes());
    auto const count =
        static_cast<std::size_t>(boost::connected_components(to_boost(g), of.data()));
    auto const map = gossip::components(g);
    CHECK(map.sizes.size() == count);
    CHECK(map.of == std::vector<gossip::node>(of.begin(), of.end()));
  }
}
