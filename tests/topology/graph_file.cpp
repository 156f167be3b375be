// Tests of telling graph files apart.
#include <gossip/topology/graph_file.hpp>

#include <string>

#include "files.hpp"

using gossip::graph_file;
using gossip::test::refusal;
using gossip::test::temporary_folder;

TEST_CASE("a graph file is read as what it is, whatever its name", "[topology]") {
  temporary_folder const folder;
  std::string const matrix = "%MatrixMarket matrix coordinate pattern symmetric\n2 2 1\n2 1\n";

  CHECK(graph_file{folder.write("a.txt", matrix)}.build().nodes() == 2);
  CHECK(graph_file{folder.write_gzip("b.txt", matrix)}.build().nodes() == 2);
  CHECK(graph_file{folder.write("c.mtx", "2 2\n1 2\n0 1\n")}.build().nodes() == 3);
  CHECK(graph_file{folder.write("d.mtx", "% an edge list\n5 9\n")}.build().nodes() == 2);
}

TEST_CASE("a graph file passes on what is wrong and what is allowed", "[topology]") {
  temporary_folder const folder;
  std::string const empty = folder.write("empty", "");
  std::string const pieces = folder.write("pieces", "0 1\n2 3\n3 4\n");

  CHECK(refusal(graph_file{empty}) == empty + ": expected at least one edge, got none");
  CHECK(refusal(graph_file{folder.path("no")}) ==
        folder.path("no") + ": expected a readable file, got 'No such file or directory'");
  CHECK_FALSE(refusal(graph_file{pieces}).empty());
  CHECK(graph_file{.path = pieces, .allow_disconnected = true}.build().nodes() == 5);
  CHECK(graph_file{.path = pieces, .largest_component = true}.build().nodes() == 3);
}
