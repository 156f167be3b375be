// Tests of reading Matrix Market files.
#include <gossip/topology/matrix_market.hpp>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "files.hpp"

using gossip::edge;
using gossip::matrix_market;
using gossip::test::refusal;
using gossip::test::temporary_folder;

namespace {

std::string const banner = "%%MatrixMarket matrix coordinate pattern symmetric\n";

}  // namespace

TEST_CASE("a Matrix Market file of every accepted kind gives its graph", "[topology]") {
  temporary_folder const folder;
  for (std::string_view const content :
       {"%%MatrixMarket matrix coordinate pattern symmetric\n3 3 2\n2 1\n3 2\n",
        "%MatrixMarket matrix coordinate pattern symmetric \n% a comment\n\n3 3 2\n2 1\n3 2",
        "%%MatrixMarket matrix coordinate real general\r\n3 3 5\r\n1 2 0.5\r\n2 1 0.5\r\n2 3 "
        "-1e3\r\n"
        "3 2 1\r\n1 1 4\r\n",
        "%%matrixmarket MATRIX Coordinate Integer General\n3 3 2\n1 2 5\n\n%\n3 2 -5\n"}) {
    CAPTURE(content);
    auto const g = matrix_market{folder.write("g.mtx", content)}.build();
    CHECK(g.nodes() == 3);
    CHECK(g.edge_list() == std::vector<edge>{{0, 1}, {1, 2}});
  }
  CHECK(matrix_market{folder.write_gzip("g.gz", banner + "2 2 1\n2 1\n")}.build().edges() == 1);
  CHECK(matrix_market{folder.write("g.mtx", banner + "1 1 0\n")}.build().nodes() == 1);
}

TEST_CASE("nodes without an entry count, so the graph is in pieces", "[topology]") {
  temporary_folder const folder;
  std::string const path = folder.write("g.mtx", banner + "5 5 2\n2 1\n4 2\n");

  CHECK(refusal(matrix_market{path}) ==
        path +
            ": the graph has 3 components (the largest has 3 of 5 nodes); set "
            "allow_disconnected or largest_component");
  CHECK(matrix_market{.path = path, .allow_disconnected = true}.build().nodes() == 5);
  CHECK(matrix_market{.path = path, .largest_component = true}.build().nodes() == 3);
}

TEST_CASE("a size line may claim a million nodes that no entry shows", "[topology]") {
  temporary_folder const folder;
  std::string const path = folder.write("g.mtx", banner + "1048578 1048578 1\n2 1\n");
  CHECK(matrix_market{.path = path, .allow_disconnected = true}.build().nodes() == 1048578);
}

TEST_CASE("a bad Matrix Market file ends in one sentence with its place", "[topology]") {
  struct example {
    std::string content;
    std::string place;
    std::string expected;
  };
  std::string const kinds =
      "expected '%%MatrixMarket matrix coordinate pattern|real|integer symmetric|general', got ";
  std::string const size = "expected a size line 'rows columns entries', got ";
  std::string const range = "expected two node numbers from 1 to 3, got ";
  for (auto const &[content, place, expected] : std::vector<example>{
           {"", "", "expected a Matrix Market file, got an empty file"},
           {"1 2\n", ":1", kinds + "'1 2'"},
           {"%%MatrixMarket matrix array real general\n", ":1",
            kinds + "'%%MatrixMarket matrix array real general'"},
           {"%%MatrixMarket matrix coordinate complex general\n", ":1",
            kinds + "'%%MatrixMarket matrix coordinate complex...'"},
           {"%%MatrixMarket matrix coordinate real\n", ":1",
            kinds + "'%%MatrixMarket matrix coordinate real'"},
           {banner, ":1", size + "the end of the file"},
           {banner + "3 3\n", ":2", size + "'3 3'"},
           {banner + "% x\nthree 3 1\n", ":3", size + "'three 3 1'"},
           {banner + "3 4 1\n1 2\n", ":2", "expected a square matrix, got 3 rows and 4 columns"},
           {banner + "0 0 0\n", ":2", "expected at least one node, got none"},
           {banner + "3 3 3\n2 1\n3 2\n", ":4", "expected 3 entries, got 2"},
           {banner + "3 3 1\n2 1\n3 2\n", ":4", "expected 1 entries, got more"},
           {banner + "3 3 2\n2 1\n4 2\n", ":4", range + "'4 2'"},
           {banner + "3 3 2\n2 0\n3 2\n", ":3", range + "'2 0'"},
           {banner + "3 3 2\n2\n", ":3", range + "'2'"},
           {banner + "3 3 2\n2 x\n", ":3", range + "'2 x'"},
           {banner + "3 3 2\n2 -1\n", ":3", range + "'2 -1'"},
           {banner + "18446744073709551615 18446744073709551615 18446744073709551615\n2 1\n", ":3",
            "expected 18446744073709551615 entries, got 1"},
           {banner + "4000000000 4000000000 1\n2 1\n", "",
            "expected at most 1048578 nodes with 1 entries, got 4000000000"},
           {banner + "1048579 1048579 1\n2 1\n", "",
            "expected at most 1048578 nodes with 1 entries, got 1048579"},
           {banner + "18446744073709551616 3 2\n", ":2", size + "'18446744073709551616 3 2'"}}) {
    temporary_folder const folder;
    std::string const path = folder.write("g.mtx", content);
    CHECK(refusal(matrix_market{.path = path, .allow_disconnected = true}) ==
          path + place + ": " + expected);
  }
}

TEST_CASE("published Matrix Market networks have their published figures", "[topology]") {
  auto const folder = gossip::test::data("graphs");
  if (!folder) return;
  auto const science = matrix_market{(*folder / "ca-netscience.mtx").string()}.build();
  std::size_t largest = 0;
  for (std::size_t i = 0; i < science.nodes(); ++i) largest = std::max(largest, science.degree(i));
  CHECK(science.nodes() == 379);
  CHECK(science.edges() == 914);
  CHECK(largest == 34);

  auto const power = matrix_market{(*folder / "power-US-Grid.mtx").string()}.build();
  CHECK(power.nodes() == 4941);
  CHECK(power.edges() == 6594);
}
