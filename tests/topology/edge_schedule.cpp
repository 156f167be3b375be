// Tests of networks that a file describes moment by moment.
#include <gossip/mixing/graph_report.hpp>
#include <gossip/topology/edge_schedule.hpp>

#include "files.hpp"

using gossip::edge_schedule;
using gossip::graph;
using gossip::test::refusal;
using gossip::test::temporary_folder;

TEST_CASE("edges hold from their round until the next of the file", "[topology]") {
  temporary_folder const folder;
  auto const path = folder.write("contacts", "# t i j\n100 7 8\n100 8 30\n\n140,30,7\n");
  auto const g = edge_schedule{.path = path, .unit = 20}.build();
  REQUIRE(g.rounds() != nullptr);
  graph const first = graph::undirected(3, {{0, 1}, {1, 2}}), last = graph::undirected(3, {{0, 2}});
  CHECK((*g.rounds())[0] == first);
  CHECK((*g.rounds())[1] == first);
  CHECK((*g.rounds())[2] == last);
  CHECK((*g.rounds())[99] == last);
  CHECK(g.edges() == 3);

  auto const again = edge_schedule{.path = path, .unit = 20, .repeats = true}.build();
  CHECK((*again.rounds())[2] == last);
  CHECK((*again.rounds())[3] == first);
  CHECK((*again.rounds())[3 * 1000 + 2] == last);
}

TEST_CASE("edges hold for their round alone where that is asked for", "[topology]") {
  temporary_folder const folder;
  auto const path = folder.write_gzip("contacts.gz", "0 0 1\n2 1 2\n3 0 1\n");
  graph const none = graph::undirected(3, {});
  auto const g = edge_schedule{.path = path, .keep = false}.build();
  CHECK((*g.rounds())[0].edges() == 1);
  CHECK((*g.rounds())[1] == none);
  CHECK((*g.rounds())[2].has_edge(1, 2));
  CHECK((*g.rounds())[3].has_edge(0, 1));
  CHECK((*g.rounds())[4] == none);
  auto const again = edge_schedule{.path = path, .keep = false, .repeats = true}.build();
  CHECK((*again.rounds())[4] == (*again.rounds())[0]);
  CHECK((*again.rounds())[5] == none);
}

TEST_CASE("a schedule in pieces is refused, or its largest piece kept", "[topology]") {
  temporary_folder const folder;
  auto const path = folder.write("pieces", "0 0 1\n1 1 2\n1 8 9\n");
  CHECK_FALSE(refusal(edge_schedule{.path = path}).empty());
  CHECK(edge_schedule{.path = path, .allow_disconnected = true}.build().nodes() == 5);
  auto const kept = edge_schedule{.path = path, .largest_component = true}.build();
  CHECK(kept.nodes() == 3);
  CHECK((*kept.rounds())[1] == graph::undirected(3, {{1, 2}}));
}

TEST_CASE("a file of one time is a fixed network", "[topology]") {
  temporary_folder const folder;
  CHECK(edge_schedule{.path = folder.write("one", "5 0 1\n5 1 2\n")}.build() ==
        graph::undirected(3, {{0, 1}, {1, 2}}));
}

TEST_CASE("faults of a schedule are named by file and line", "[topology]") {
  temporary_folder const folder;
  auto const path = folder.write("bad", "1 0 1\n2 0\n");
  CHECK(refusal(edge_schedule{.path = path}) ==
        path + ":2: expected a time and two node numbers below 2^64, got '2 0'");
  auto const back = folder.write("back", "5 0 1\n4 0 1\n");
  CHECK(refusal(edge_schedule{.path = back}) ==
        back + ":2: expected times that do not descend, got 4");
  auto const empty = folder.write("empty", "# nothing\n");
  CHECK(refusal(edge_schedule{.path = empty}) == empty + ": expected at least one edge, got none");
  CHECK(refusal(edge_schedule{.path = path, .unit = 0}) ==
        "edge_schedule: unit: expected at least 1, got 0");
}

TEST_CASE("a schedule has one layout, whose further columns are counted", "[topology]") {
  temporary_folder const folder;
  gossip::edge_schedule const of{folder.write("g.txt", "0 1 2 a b\n1 2 3 a c\n")};
  CHECK(of.build().dropped().unused_columns == 2);
  folder.write("g.txt", "0 1 2\n1 2 3 a\n");
  CHECK(refusal(of) ==
        of.path + ":2: expected 3 columns, as in the first line of numbers, got '1 2 3 a'");
}

TEST_CASE("a long rest between two rounds of a schedule costs no time", "[topology]") {
  temporary_folder const folder;
  for (bool const keep : {true, false}) {
    gossip::edge_schedule const of{
        .path = folder.write("g.txt", "0 0 1\n1000000000 1 2\n"), .keep = keep, .repeats = true};
    auto const report = gossip::describe(of.build());
    CHECK(report.edges == 2);
    CHECK(report.spectral_gap >= 0);
    CHECK(report.spectral_gap < 1e-6);
  }
}
