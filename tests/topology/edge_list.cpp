// Tests of reading edge lists.
#include <gossip/graph/components.hpp>
#include <gossip/topology/edge_list.hpp>

#include <string>
#include <string_view>
#include <vector>

#include "files.hpp"

using gossip::edge;
using gossip::edge_list;
using gossip::test::refusal;
using gossip::test::temporary_folder;

TEST_CASE("an edge list of every dialect gives the same graph", "[topology]") {
  temporary_folder const folder;
  std::vector<edge> const square{{0, 1}, {0, 3}, {1, 2}, {2, 3}};
  for (std::string_view const content :
       {"0 1\n1 2\n2 3\n3 0\n", "0 1\n1 2\n2 3\n3 0", "0\t1\r\n1\t2\r\n2\t3\r\n3\t0\r\n",
        "# Nodes: 4\n%% x\n// y\n\n  \t\n0,1\n1, 2\n  # z\n2 ,3\n3 0\n",
        "0 1\n1 0\n1 2\n2 2\n2 3\n3 2\n3 0\n3 0\n", "0 1 0.5\n1 2 7\n2 3 -1e-3\n3 0 +2 # last\n",
        "0 1 1 5\n1 2 1 6\n2 3 1 6\n3 0 1 9.5\n", "0 1 {}\n1 2 {'weight': 3}\n2 3 {}\n3 0 {}\n",
        "7 500\n500 18446744073709551615\n10000000000 18446744073709551615\n7 10000000000\n",
        "\xEF\xBB\xBF"
        "0 1\n1 2\n2 3\n3 0\n",
        "  0   1  \n\t1 2\n2 3\n03 00\n"}) {
    CAPTURE(content);
    auto const g = edge_list{folder.write("g.txt", content)}.build();
    if (content.starts_with("7 500"))  // 7, 500, 10^10 and 2^64 - 1 become 0, 1, 2 and 3
      CHECK(g.edge_list() == std::vector<edge>{{0, 1}, {0, 2}, {1, 3}, {2, 3}});
    else
      CHECK(g.edge_list() == square);
  }
}

TEST_CASE("what an edge list repeats is counted", "[topology]") {
  temporary_folder const folder;
  auto const g = edge_list{folder.write("g.txt", "0 1\n1 0\n1 2\n2 2\n1 2\n0 0\n")}.build();
  CHECK(g.edges() == 2);
  CHECK(g.dropped().self_loops == 2);
  CHECK(g.dropped().duplicates == 2);
}

TEST_CASE("gzipped edge lists are read as they are", "[topology]") {
  temporary_folder const folder;
  std::string content;
  for (int i = 0; i < 100'000; ++i)
    content += std::to_string(i) + " " + std::to_string(i + 1) + "\n";
  auto const g = edge_list{folder.write_gzip("g.txt.gz", content)}.build();
  CHECK(g.nodes() == 100'001);
  CHECK(g.edges() == 100'000);
  CHECK(edge_list{folder.write("g.txt", content)}.build() == g);
}

TEST_CASE("an edge list in pieces is refused, allowed or cut to its largest piece", "[topology]") {
  temporary_folder const folder;
  std::string const path = folder.write("g.txt", "10 11\n20 21\n21 22\n30 30\n");

  CHECK(refusal(edge_list{path}) ==
        path +
            ": the graph has 3 components (the largest has 3 of 6 nodes); set "
            "allow_disconnected or largest_component");
  CHECK(edge_list{.path = path, .allow_disconnected = true}.build().nodes() == 6);
  auto const largest = edge_list{.path = path, .largest_component = true}.build();
  CHECK(largest.edge_list() == std::vector<edge>{{0, 1}, {1, 2}});
  CHECK(largest.dropped().self_loops == 1);
}

TEST_CASE("a bad edge list ends in one sentence with its place", "[topology]") {
  struct example {
    std::string content;
    std::string place;
    std::string expected;
  };
  std::string const numbers = "expected two node numbers below 2^64, got ";
  std::string const long_word(50, 'x');
  for (auto const &[content, place, expected] : std::vector<example>{
           {"", "", "expected at least one edge, got none"},
           {"# nothing\n\n", "", "expected at least one edge, got none"},
           {"abc\n", ":1", numbers + "'abc'"},
           {"0 1\n\n1 b\n", ":3", numbers + "'1 b'"},
           {"source,target\n0,1\n", ":1",
            numbers + "'source,target'; the file looks like a table with a header: use two columns "
                      "of node numbers without a header"},
           {"0 1\n7\n", ":2", numbers + "'7'"},
           {"0 1\n7", ":2", numbers + "'7'"},
           {"0 -1\n", ":1", numbers + "'0 -1'"},
           {"+0 1\n", ":1", numbers + "'+0 1'"},
           {"0.5 1\n", ":1", numbers + "'0.5 1'"},
           {"0 1e3\n", ":1", numbers + "'0 1e3'"},
           {"0 18446744073709551616\n", ":1", numbers + "'0 18446744073709551616'"},
           {"0\t\x01\xFFz\n", ":1", numbers + "'0 ??z'"},
           {"0 1\n1\r2\n", ":2", numbers + "'1?2'"},
           {long_word, ":1", numbers + "'" + std::string(40, 'x') + "...'"},
           {std::string(5, '\0'), "",
            "expected text in UTF-8 or ASCII, got bytes 0, as in UTF-16 or in binary files"},
           {"0 1\n" + std::string(70'000, '1'), ":2",
            numbers + "'" + std::string(40, '1') + "...'"}}) {
    temporary_folder const folder;
    std::string const path = folder.write("g.txt", content);
    CHECK(refusal(edge_list{path}) == path + place + ": " + expected);
  }
}

TEST_CASE("what is not a readable file ends in one sentence", "[topology]") {
  temporary_folder const folder;
  std::string const missing = folder.path("missing.txt");
  CHECK(refusal(edge_list{missing}) ==
        missing + ": expected a readable file, got 'No such file or directory'");
  CHECK(refusal(edge_list{folder.path("")}) == folder.path("") + ": expected a file, got a folder");
  CHECK(refusal(edge_list{""}) == ": expected a readable file, got 'No such file or directory'");
  if (std::filesystem::exists("/dev/zero"))
    CHECK(
        refusal(edge_list{"/dev/zero"}) ==
        "/dev/zero: expected text in UTF-8 or ASCII, got bytes 0, as in UTF-16 or in binary files");
}

TEST_CASE("a damaged gzip file ends in one sentence", "[topology]") {
  temporary_folder const folder;
  std::string content;
  for (int i = 0; i < 20'000; ++i) content += std::to_string(i * 7919 % 20'000) + " 0\n";
  std::string const path = folder.write_gzip("g.gz", content);
  std::string bytes;
  {
    std::ifstream file(path, std::ios::binary);
    bytes.assign(std::istreambuf_iterator<char>(file), {});
  }

  for (std::size_t kept : {bytes.size() - 1, bytes.size() - 8, bytes.size() / 2, std::size_t{30}}) {
    CAPTURE(kept);
    std::string const sentence = refusal(edge_list{folder.write("g.gz", bytes.substr(0, kept))});
    CHECK_THAT(sentence,
               gossip::test::contains(": expected a complete gzip file, got a truncated file"));
  }
  std::string changed = bytes;
  changed[changed.size() - 6] ^= 1;  // in the checksum
  CHECK_THAT(refusal(edge_list{folder.write("g.gz", changed)}),
             gossip::test::contains(": expected gzip data, got damaged data"));
  for (std::size_t place = 10; place < bytes.size(); place += bytes.size() / 50) {
    changed = bytes;
    changed[place] ^= 0x55;
    CHECK_FALSE(refusal(edge_list{folder.write("g.gz", changed)}).empty());
  }
}

TEST_CASE("the published ego-Facebook network has its published figures", "[topology]") {
  auto const folder = gossip::test::data("graphs");
  if (!folder) return;
  auto const g = edge_list{(*folder / "facebook_combined.txt.gz").string()}.build();
  std::size_t largest = 0;
  for (std::size_t i = 0; i < g.nodes(); ++i) largest = std::max(largest, g.degree(i));
  CHECK(g.nodes() == 4039);
  CHECK(g.edges() == 88'234);
  CHECK(largest == 1045);
  CHECK(gossip::is_connected(g));

  auto const karate = edge_list{(*folder / "karate.txt").string()}.build();
  CHECK(karate.nodes() == 34);
  CHECK(karate.edges() == 78);
}

TEST_CASE("a file in another layout is refused by the format that it looks like", "[topology]") {
  struct example {
    std::string content, sentence;
  };
  std::string const lists = "the topology adjacency_list reads them";
  std::string ring_matrix, float_matrix;
  for (int i = 0; i < 11; ++i) {
    for (int j = 0; j < 11; ++j) {
      bool const edge = (i - j + 11) % 11 == 1 || (j - i + 11) % 11 == 1;
      ring_matrix += edge ? "1 " : "0 ";
      float_matrix += edge ? "1.000000000000000000e+00," : "0.000000000000000000e+00,";
    }
    ring_matrix.back() = float_matrix.back() = '\n';
  }
  for (auto const &[content, sentence] : std::vector<example>{
           {ring_matrix, "looks like an adjacency matrix"},
           {float_matrix, "looks like an adjacency matrix"},
           {"0 1 1\n1 0 1\n1 1 0\n", "looks like an adjacency matrix"},
           {"0 1 3\n1 0 2\n2 1 3\n3 2 0\n", "looks like adjacency lists"},
           {"0 1 3\n1 2\n2 3\n3\n", "looks like adjacency lists"},
           {"0 1 2 3\n1 2 3\n2 3\n", "looks like adjacency lists"},
           {"4 4\n2 4\n1 3\n2 4\n1 3\n", "looks like METIS"},
           {"4 5\n2 3 4\n1 3\n1 2 4\n1 3\n", "looks like METIS"},
           {"% a comment\n3 1\n2\n1\n\n", "looks like METIS"},
           {"0,5,7\n1,7,8\n2,8,5\n", "a table with line numbers in its first column"},
           {",source,target\n0,5,7\n1,7,8\n", "a table with a header"},
           {"source target weight\n5 7 1\n", "a table with a header"},
           {"\"Source\",\"Target\"\n5,7\n", "a table with a header"},
           {"*Vertices 3\n1 \"a\"\n*Edges\n1 2\n", "looks like Pajek"},
           {"graph [\n  node [\n    id 0\n  ]\n]\n", "looks like GML or DOT"},
           {"graph {\n  0 -- 1;\n}\n", "looks like GML or DOT"},
           {">>graph6<<Dhc\n", "looks like graph6"},
           {"0 1\n1 2 0.5\n",
            ":2: expected 2 columns, as in the first line of numbers, got '1 2 0.5'"},
           {"0 1 0.5\n1 2\n", ":2: expected 3 columns, as in the first line of numbers, got '1 2'"},
           {"0 1 x\n",
            ":1: expected two node numbers and at most a weight and a time, got '0 1 x'"},
           {"0 1 2 3 4\n", "at most a weight and a time"}}) {
    CAPTURE(content);
    temporary_folder const folder;
    std::string const got = refusal(edge_list{folder.write("g.txt", content)});
    CHECK_THAT(got, gossip::test::contains(sentence));
  }
}

TEST_CASE("edges with weights are not taken for another layout", "[topology]") {
  temporary_folder const folder;
  for (std::string_view const content :
       {"0 1 0.5\n1 2 0.25\n2 3 1.5\n3 0 2\n", "0 1 9\n0 2 9\n1 2 7\n2 3 1\n",
        "1 2 1262304000\n1 3 1262304001\n2 3 1262304002\n", "5 5\n1 2\n2 3\n3 1\n"}) {
    CAPTURE(content);
    CHECK_NOTHROW(
        edge_list{.path = folder.write("g.txt", content), .allow_disconnected = true}.build());
  }
}

TEST_CASE("columns that are not used are counted", "[topology]") {
  temporary_folder const folder;
  auto const unused = [&](char const *content) {
    return edge_list{folder.write("g.txt", content)}.build().dropped().unused_columns;
  };
  CHECK(unused("0 1\n1 2\n") == 0);
  CHECK(unused("0 1 3\n0 2 3\n") == 1);
  CHECK(unused("0 1 3 5\n0 2 3 5\n") == 2);
}

TEST_CASE("the columns of a bipartite file count apart", "[topology]") {
  temporary_folder const folder;
  auto const g =
      edge_list{folder.write("g.txt", "% bip unweighted\n% 3 2 2\n1 1\n1 2\n2 2\n")}.build();
  CHECK(g.nodes() == 4);
  CHECK(g.edge_list() == std::vector<edge>{{0, 2}, {0, 3}, {1, 3}});
  CHECK(g.dropped().self_loops == 0);
}
