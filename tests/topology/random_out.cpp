// Tests of directed random graphs: degrees, chances, strong connection.
#include <gossip/topology/random_out.hpp>

#include <cmath>

#include <gossip/graph/components.hpp>

#include "files.hpp"

using gossip::random_out;

TEST_CASE("every node sends to so many others and reaches all", "[topology]") {
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    auto const g = random_out{50, 5}.build(seed);
    CHECK(g.directed());
    CHECK(g.edges() == 250);
    for (std::size_t i = 0; i < 50; ++i) CHECK(g.degree(i) == 5);
    CHECK(gossip::is_strongly_connected(g));
  }
  CHECK(random_out{4, 3}.build(1).edges() == 12);
  CHECK(random_out{1, 0}.build(1).nodes() == 1);
}

TEST_CASE("receivers are drawn uniformly", "[topology]") {
  // 3 of 7 others: of 2000 draws 857 each, standard deviation 22.
  std::size_t count[8][8] = {};
  for (std::uint64_t seed = 0; seed < 2000; ++seed)
    for (auto const e : random_out{8, 3}.build(seed).edge_list()) ++count[e.from][e.to];
  for (std::size_t i = 0; i < 8; ++i)
    for (std::size_t j = 0; j < 8; ++j) {
      double const mean = i == j ? 0 : 2000 * 3.0 / 7;
      CHECK(std::abs(static_cast<double>(count[i][j]) - mean) < 5 * 22.2);
    }
}

TEST_CASE("what cannot reach all is refused", "[topology]") {
  CHECK(gossip::test::refusal(random_out{4, 4}) ==
        "random_out: degree: expected a number below nodes (4), got 4");
  CHECK(gossip::test::refusal(random_out{40, 0}) ==
        "random_out: found no strongly connected graph of 40 nodes and degree 0; 7 (ln n + 3) is "
        "usually enough");
  CHECK(gossip::test::refusal(random_out{4, 0}) ==
        "random_out: found no strongly connected graph of 4 nodes and degree 0; 3, to all other "
        "nodes, is always enough");
  // Refused without a draw: 1,832 of 100,000 nodes would hear from nobody.
  CHECK(gossip::test::refusal(random_out{100'000, 4}) ==
        "random_out: found no strongly connected graph of 100000 nodes and degree 4; 15 (ln n + 3) "
        "is usually enough");
  CHECK(gossip::is_strongly_connected(random_out{100'000, 15}.build(1)));
}

TEST_CASE("a one-way chain is connected, but not strongly", "[topology]") {
  CHECK_FALSE(gossip::is_strongly_connected(gossip::graph::directed(3, {{0, 1}, {1, 2}})));
  CHECK(gossip::is_strongly_connected(gossip::graph::directed(3, {{0, 1}, {1, 2}, {2, 0}})));
  CHECK(gossip::is_strongly_connected(gossip::graph::undirected(3, {{0, 1}, {1, 2}})));
}
