// Links that differ: which counts for a message, and those that cannot be.
#include <gossip/clock/links.hpp>

#include <string>

#include "../catch.hpp"

using namespace std::chrono_literals;
using gossip::differing_links;

using gossip::link_table;

namespace {

gossip::link const all{.latency = 1ms, .bandwidth = 1e9};

void check_link(gossip::link const &found, gossip::virtual_time latency, double bandwidth) {
  CHECK(found.latency == latency);
  CHECK(found.bandwidth == bandwidth);
}

std::string refusal(differing_links const &differing) {
  try {
    link_table const table(all, differing, 4);
  } catch (gossip::input_error const &e) {
    return e.what();
  }
  return "none";
}

}  // namespace

TEST_CASE("a message takes the link of its edge, its regions and its nodes", "[clock]") {
  link_table const table(all,
                         {.nodes = {{.which = 3, .latency = 40ms, .bandwidth = 1e6}},
                          .edges = {{.from = 0, .to = 2, .latency = 7ms, .bandwidth = 5e8}},
                          .regions = {{.nodes = 2, .latency = 10us, .bandwidth = 1e10},
                                      {.nodes = 3, .latency = 20us, .bandwidth = 2e10}},
                          .between = {{.from = 1, .to = 0, .latency = 80ms, .bandwidth = 1e8}}},
                         5);
  check_link(table.between(0, 1), 10us, 1e10);
  check_link(table.between(2, 4), 20us, 2e10);
  check_link(table.between(1, 2), 80ms, 1e8);
  check_link(table.between(2, 1), 80ms, 1e8);
  check_link(table.between(0, 2), 7ms, 5e8);   // of the edge
  check_link(table.between(2, 0), 80ms, 1e8);  // in the other direction there is none
  check_link(table.between(2, 3), 40ms, 1e6);  // behind a slow link
  check_link(table.between(3, 0), 80ms, 1e6);
  check_link(table.between(5, 0), 10us, 1e9);  // a server, in the first region with its interface
  CHECK(table.interface_of(0) == 1e10);
  CHECK(table.interface_of(3) == 1e6);
  CHECK(table.interface_of(4) == 2e10);
  CHECK(table.interface_of(5) == 1e9);
}

TEST_CASE("a link of one way between regions leaves the other way as it is", "[clock]") {
  link_table const table(
      all,
      {.regions = {{.nodes = 1}, {.nodes = 1}},
       .between = {{.from = 0, .to = 1, .latency = 80ms, .bandwidth = 1e8},
                   {.from = 1, .to = 0, .latency = 3ms, .bandwidth = 2e9, .one_way = true}}},
      2);
  check_link(table.between(0, 1), 80ms, 1e8);
  check_link(table.between(1, 0), 3ms, 2e9);
}

TEST_CASE("regions without a link between them have that of all", "[clock]") {
  link_table const table(all, {.regions = {{.nodes = 1}, {.nodes = 1}}}, 2);
  check_link(table.between(0, 1), 1ms, 1e9);
  link_table const plain(all, {}, 2);
  check_link(plain.between(0, 1), 1ms, 1e9);
}

TEST_CASE("links that cannot be are refused", "[clock]") {
  CHECK(refusal({.nodes = {{.which = 4}}}) ==
        "clock: link of node 4: expected a node below 4, got 4");
  CHECK(refusal({.nodes = {{.which = 1}, {.which = 1}}}) ==
        "clock: link of node 1: expected one link, got two");
  CHECK(refusal({.nodes = {{.which = 1, .bandwidth = 0}}}) ==
        "clock: link of node 1: expected a bandwidth above 0 bytes a second, got 0");
  CHECK(refusal({.nodes = {{.which = 1, .latency = -1ns}}}) ==
        "clock: link of node 1: expected a latency of at least 0 ns, got -1 ns");
  CHECK(refusal({.edges = {{.from = 1, .to = 1}}}) ==
        "clock: link from node 1 to 1: expected two different nodes, got twice node 1");
  CHECK(refusal({.edges = {{.from = 1, .to = 9}}}) ==
        "clock: link from node 1 to 9: expected a node below 4, got 9");
  CHECK(refusal({.edges = {{.from = 1, .to = 2}, {.from = 1, .to = 2}}}) ==
        "clock: link from node 1 to 2: expected one link, got two");
  CHECK(refusal({.regions = {{.nodes = 3}}}) == "clock: regions: expected 4 nodes together, got 3");
  CHECK(refusal({.regions = {{.nodes = 4}}, .between = {{.from = 0, .to = 1}}}) ==
        "clock: link of regions 0 and 1: expected two regions below 1, got 0 and 1");
}
