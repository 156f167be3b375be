// Tests of graphs from adjacency lists, adjacency matrices and files of METIS.
#include <gossip/topology/adjacency_list.hpp>
#include <gossip/topology/adjacency_matrix.hpp>
#include <gossip/topology/metis_graph.hpp>
#include <gossip/topology/ring.hpp>

#include <string>
#include <string_view>
#include <vector>

#include "files.hpp"

using namespace gossip;
using gossip::test::refusal;
using gossip::test::temporary_folder;

TEST_CASE("a ring is the same from lists, a matrix and METIS", "[topology]") {
  temporary_folder const folder;
  graph const expected = ring{.nodes = 5}.build(1);
  for (std::string_view const content :
       {"0 1 4\n1 0 2\n2 1 3\n3 2 4\n4 3 0\n", "# networkx\n0 1 4\n1 2\n2 3\n3 4\n4\n"})
    CHECK(adjacency_list{folder.write("g.txt", content)}.build() == expected);
  for (std::string_view const content :
       {"0 1 0 0 1\n1 0 1 0 0\n0 1 0 1 0\n0 0 1 0 1\n1 0 0 1 0\n",
        "0,2,0,0,2\n2,7,2,0,0\n0,2,0,2,0\n0,0,2,0,2\n2,0,0,2,0\n",
        "0.0e+00 1.0e+00 0.0e+00 0.0e+00 1.0e+00\n1.0e+00 0.0e+00 1.0e+00 0.0e+00 0.0e+00\n"
        "0.0e+00 1.0e+00 0.0e+00 1.0e+00 0.0e+00\n0.0e+00 0.0e+00 1.0e+00 0.0e+00 1.0e+00\n"
        "1.0e+00 0.0e+00 0.0e+00 1.0e+00 0.0e+00\n"})
    CHECK(adjacency_matrix{folder.write("g.txt", content)}.build() == expected);
  for (std::string_view const content :
       {"5 5\n2 5\n1 3\n2 4\n3 5\n4 1\n",
        "% c\n5 5 1\n2 9 5 9\n1 9 3 9\n2 9 4 9\n3 9 5 9\n4 9 1 9\n",
        "5 5 11 2\n8 8 2 9 5 9\n8 8 1 9 3 9\n8 8 2 9 4 9\n8 8 3 9 5 9\n8 8 4 9 1 9\n"})
    CHECK(metis_graph{folder.write("g.txt", content)}.build() == expected);
}

TEST_CASE("a node without neighbors has a line that is empty in METIS", "[topology]") {
  temporary_folder const folder;
  auto const g =
      metis_graph{.path = folder.write("g.txt", "3 1\n2\n1\n\n"), .allow_disconnected = true}
          .build();
  CHECK(g.nodes() == 3);
  CHECK(g.edges() == 1);
}

TEST_CASE("faults of lists, matrices and METIS are named by file and line", "[topology]") {
  temporary_folder const folder;
  auto const of = [&](auto topology, std::string_view content) {
    topology.path = folder.write("g.txt", content);
    std::string const sentence = refusal(topology);
    return sentence.substr(std::min(sentence.size(), topology.path.size()));
  };
  CHECK(of(adjacency_list{}, "0 1\n1 a\n") == ":2: expected node numbers below 2^64, got '1 a'");
  CHECK(of(adjacency_list{}, "0 1\n0 2\n") ==
        ": expected a line for each node at most, got two for node 0");
  CHECK(of(adjacency_list{}, "0\n1\n") == ": expected at least one edge, got none");
  CHECK(of(adjacency_matrix{}, "0 1\n1 0 1\n") ==
        ":2: expected 2 numbers, as in the first row, got 3");
  CHECK(of(adjacency_matrix{}, "0 1\n") == ": expected 2 rows, as columns, got 1");
  CHECK(of(adjacency_matrix{}, "0 1\n1 0\n0 0\n") ==
        ":3: expected 2 rows, as columns, got a further row");
  CHECK(
      of(adjacency_matrix{}, "0 1\n0 0\n") ==
      ": expected a symmetric matrix, got an entry in row 1, column 2 and none in row 2, column 1");
  CHECK(of(adjacency_matrix{}, "0 x\n") == ":1: expected a row of numbers, got '0 x'");
  CHECK(of(metis_graph{}, "2 1\n2\n3\n") == ":3: expected a node from 1 to 2, got 3");
  CHECK(of(metis_graph{}, "2 1\n2\n") == ": expected 2 lines of nodes, got 1");
  CHECK(of(metis_graph{}, "2 1\n2\n1\n1\n") == ":4: expected 2 lines of nodes, got a further line");
  CHECK(of(metis_graph{}, "3 2\n2\n1\n2\n") ==
        ": expected 2 edges, each from both of its nodes, got 3 neighbors in all");
}
