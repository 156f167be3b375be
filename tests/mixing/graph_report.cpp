// Tests of the report on a graph.
#include <gossip/mixing/graph_report.hpp>

#include <sstream>

#include <gossip/topology/random_regular.hpp>
#include <gossip/topology/ring.hpp>

#include "../catch.hpp"

using gossip::graph;

TEST_CASE("the report of a graph counts what is there and what was dropped", "[mixing]") {
  auto const g = graph::undirected(6, {{0, 1}, {1, 2}, {1, 3}, {3, 1}, {4, 4}, {4, 5}});

  auto const report = gossip::describe(g);

  CHECK(report.nodes == 6);
  CHECK(report.edges == 4);
  CHECK(report.components == 2);
  CHECK(report.largest_component == 4);
  CHECK(report.self_loops_dropped == 1);
  CHECK(report.duplicates_dropped == 1);
  CHECK(report.min_degree == 1);
  CHECK(report.max_degree == 3);
  CHECK(report.mean_degree == Approx(8.0 / 6.0));
  CHECK(report.spectral_gap == 0.0);
  CHECK(report.spectral_gap_converged);
}

TEST_CASE("the printed report is aligned and keeps the format of the stream", "[mixing]") {
  std::ostringstream text;
  text << std::hex << gossip::describe(gossip::ring{16}.build()) << '\n' << 255;
  CHECK(text.str() ==
        "nodes         16\n"
        "edges         16\n"
        "components    1, the largest of 16 nodes\n"
        "dropped       0 self-loops, 0 duplicates\n"
        "degree        2 to 2, mean 2\n"
        "spectral gap  0.05075\n"
        "ff");
}

TEST_CASE("a gap that did not converge is reported as a bound", "[mixing]") {
  gossip::graph_report report;
  report.spectral_gap = 0.25;
  std::ostringstream text;
  text << report;
  CHECK_THAT(text.str(), gossip::test::contains("spectral gap  at most 0.25"));
}

TEST_CASE("a directed graph is reported with uniform weights", "[mixing]") {
  auto const report = gossip::describe(graph::directed(3, {{0, 1}, {1, 2}, {2, 0}}));
  CHECK(report.edges == 3);
  CHECK(report.spectral_gap.value() == Approx(0.5));
  CHECK_THROWS_WITH(gossip::describe(graph()), "describe: expected at least one node, got none");
}
