// The division of a graph: whole, even, with few edges cut; also of graphs that are hard to divide.
#include <gossip/graph/detail/weighted_graph.hpp>
#include <gossip/graph/partition.hpp>
#include <gossip/topology/complete.hpp>
#include <gossip/topology/erdos_renyi.hpp>
#include <gossip/topology/random_regular.hpp>
#include <gossip/topology/ring.hpp>
#include <gossip/topology/star.hpp>
#include <gossip/topology/torus.hpp>

#include <sstream>

#include "catch.hpp"

using gossip::graph;
using gossip::multilevel_partition;

namespace {

gossip::partition_report divided(graph const &g, std::size_t parts) {
  auto const owners = multilevel_partition(g, parts);
  REQUIRE(owners.size() == g.nodes());
  for (std::uint32_t const owner : owners) REQUIRE(owner < parts);
  return describe(g, owners, parts);
}

}  // namespace

TEST_CASE("a ring is cut once a part", "[graph]") {
  for (std::size_t const parts : {2, 3, 5, 7, 16}) {
    auto const report = divided(gossip::ring{256}.build(1), parts);
    CAPTURE(parts);
    CHECK(report.cut <= parts + 2);
    CHECK(report.largest - report.smallest <= 1);
    CHECK(report.most_halo <= 4);
  }
}

TEST_CASE("a torus is cut across", "[graph]") {
  auto const report = divided(gossip::torus{32, 32}.build(1), 2);
  CHECK(report.cut <= 80);  // 64 at best
  CHECK(report.smallest == 512);
  CHECK(divided(gossip::torus{32, 32}.build(1), 16).cut <= 330);  // 256 at best
}

TEST_CASE("two cliques on a bridge are told apart", "[graph]") {
  std::vector<gossip::edge> edges{{3, 40}};
  for (gossip::node i = 0; i < 20; ++i)
    for (gossip::node j = 0; j < i; ++j)
      for (gossip::node const first : {0U, 30U}) edges.push_back({first + i, first + j});
  for (gossip::node i = 20; i < 30; ++i) edges.push_back({i, i == 20 ? 0U : i - 1});
  for (gossip::node i = 50; i < 60; ++i) edges.push_back({i, i == 50 ? 30U : i - 1});
  auto const report = divided(graph::undirected(60, edges), 2);
  CHECK(report.cut == 1);
  CHECK(report.smallest == 30);
}

TEST_CASE("a random graph is cut better than by chance", "[graph]") {
  auto const g = gossip::random_regular{.nodes = 1000, .degree = 8}.build(1);
  auto const report = divided(g, 2);
  CHECK(report.cut < 1200);  // 2000 by chance
  CHECK(report.smallest == 500);
}

TEST_CASE("parts are even to one node, whatever the graph", "[graph]") {
  auto const pieces = graph::undirected(10, {{0, 1}, {1, 2}, {5, 6}, {7, 8}});
  for (graph const &g :
       {gossip::star{17}.build(1), gossip::complete{12}.build(1), pieces, graph::undirected(1, {}),
        graph::undirected(5, {}), graph::directed(9, {{0, 1}, {1, 2}, {2, 3}, {3, 0}, {5, 4}}),
        gossip::erdos_renyi{.nodes = 300, .probability = 0.05}.build(1)})
    for (std::size_t const parts : {1, 2, 3, 5, 12, 31}) {
      auto const report = divided(g, parts);
      CAPTURE(g.nodes(), parts);
      CHECK(report.largest - report.smallest <= 1);
      CHECK(report.cut <= g.edges());
    }
  CHECK(divided(pieces, 2).cut <= 1);
}

TEST_CASE("what a part hears of others is counted once a node", "[graph]") {
  auto const g = graph::undirected(5, {{0, 1}, {0, 2}, {0, 3}, {3, 4}});
  auto const report = describe(g, std::vector<std::uint32_t>{0, 1, 1, 0, 1}, 2);
  CHECK(report.cut == 3);
  CHECK(report.halo == 5);  // part 0 hears 1, 2 and 4; part 1 hears 0 and 3
  CHECK(report.most_halo == 3);
  CHECK(report.balance() == Approx(1.2));
  std::ostringstream text;
  text << report;
  CHECK(text.str() ==
        "parts         2 of 2 to 3 nodes, balance 1.2\n"
        "cut           3 of 4 edges; a part listens to 3 nodes elsewhere at most");
}

TEST_CASE("nodes made one have the weights of all of them", "[graph]") {
  // 0 - 1, 2 - 3 and 4 become the corners of a triangle; edges between two of them add up.
  using gossip::detail::weighted_graph;
  auto const g = graph::undirected(5, {{0, 1}, {2, 3}, {0, 2}, {1, 3}, {1, 2}, {3, 4}, {0, 4}});
  weighted_graph const coarse = weighted_graph::of_network(g).contracted({0, 0, 1, 1, 2}, 3);
  CHECK(coarse.weights == std::vector<std::uint32_t>{2, 2, 1});
  CHECK(coarse.total() == 5);
  std::vector<std::vector<std::uint32_t>> between(3, std::vector<std::uint32_t>(3, 0));
  for (std::size_t i = 0; i < 3; ++i)
    for (auto const l : coarse.of(i)) between[i][l.to] += l.weight;
  CHECK(between == std::vector<std::vector<std::uint32_t>>{{0, 3, 1}, {3, 0, 1}, {1, 1, 0}});
}

TEST_CASE("no parts are refused", "[graph]") {
  CHECK_THROWS_WITH(multilevel_partition(gossip::ring{3}.build(1), 0),
                    "partition: parts must be at least 1, got 0");
}
