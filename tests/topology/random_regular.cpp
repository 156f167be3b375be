// Tests of random regular graphs.
#include <gossip/graph/components.hpp>
#include <gossip/topology/random_regular.hpp>

#include <algorithm>
#include <utility>
#include <vector>

#include "files.hpp"

using gossip::graph;
using gossip::random_regular;

namespace {

bool is_regular(graph const &g, std::size_t degree) {
  for (std::size_t i = 0; i < g.nodes(); ++i)
    if (g.degree(i) != degree) return false;
  return true;
}

}  // namespace

TEST_CASE("every node of a random regular graph has the degree, and the graph is one piece",
          "[topology]") {
  for (std::size_t n = 1; n <= 24; ++n)
    for (std::size_t degree = n < 3 ? n - 1 : 2; degree < n; ++degree) {
      if (n * degree % 2 == 1) continue;
      for (std::uint64_t seed : {1U, 2U, 3U}) {
        auto const g = random_regular{.nodes = n, .degree = degree}.build(seed);
        CAPTURE(n, degree, seed);
        CHECK(g.nodes() == n);
        CHECK(is_regular(g, degree));
        CHECK(gossip::is_connected(g));
        CHECK(g.dropped().self_loops + g.dropped().duplicates == 0);
      }
    }
}

TEST_CASE("large random regular graphs are regular and connected", "[topology]") {
  for (auto const &[n, degree] : {std::pair<std::size_t, std::size_t>{100'000, 8},
                                  {100'000, 2},
                                  {100'000, 3},
                                  {1000, 300},
                                  {501, 400}}) {
    auto const g = random_regular{.nodes = n, .degree = degree}.build(7);
    CAPTURE(n, degree);
    CHECK(g.edges() == n * degree / 2);
    CHECK(is_regular(g, degree));
    CHECK(gossip::is_connected(g));
  }
}

TEST_CASE("the same seed gives the same random regular graph and another seed another",
          "[topology]") {
  random_regular const network{.nodes = 100, .degree = 8};

  CHECK(network.build(1) == network.build(1));
  CHECK_FALSE(network.build(1) == network.build(2));
}

TEST_CASE("the random regular graph of a seed never changes", "[topology]") {
  auto const g = random_regular{.nodes = 8, .degree = 3}.build(1);
  std::vector<gossip::edge> const recorded{{0, 2}, {0, 3}, {0, 6}, {1, 2}, {1, 5}, {1, 7},
                                           {2, 5}, {3, 4}, {3, 7}, {4, 5}, {4, 6}, {6, 7}};
  CHECK(g.edge_list() == recorded);
}

// There are 70 labelled cubic graphs on 6 nodes. If all were equally likely, 7000 draws would give
// each 100, with a standard deviation of 10; swaps favour some where nearly every pairing needs
// one.
TEST_CASE("every regular graph on six nodes can be drawn, at a similar rate", "[topology]") {
  std::vector<std::pair<std::vector<gossip::node>, int>> seen;
  for (std::uint64_t seed = 0; seed < 7000; ++seed) {
    std::vector<gossip::node> key;
    for (auto const e : random_regular{.nodes = 6, .degree = 3}.build(seed).edge_list())
      key.push_back(e.from * 6 + e.to);
    auto const place = std::find_if(seen.begin(), seen.end(),
                                    [&key](auto const &entry) { return entry.first == key; });
    if (place == seen.end())
      seen.emplace_back(key, 1);
    else
      ++place->second;
  }
  CHECK(seen.size() == 70);
  for (auto const &entry : seen) CHECK((entry.second > 25 && entry.second < 200));
}

TEST_CASE("regular graphs that do not exist are refused", "[topology]") {
  using gossip::test::refusal;
  CHECK(refusal(random_regular{.nodes = 9, .degree = 3}) ==
        "random_regular: 9 nodes of degree 3 do not exist (the product must be even)");
  CHECK(refusal(random_regular{.nodes = 9, .degree = 9}) ==
        "random_regular: degree must be below nodes (9), got 9");
  CHECK(refusal(random_regular{.nodes = 0, .degree = 3}) ==
        "random_regular: nodes must be at least 1, got 0");
  CHECK(refusal(random_regular{.nodes = 8, .degree = 1}) ==
        "random_regular: 8 nodes of degree 1 are never connected");
  CHECK(refusal(random_regular{.nodes = 2, .degree = 0}) ==
        "random_regular: 2 nodes of degree 0 are never connected");
  CHECK(refusal(random_regular{.nodes = 1'000'000'000, .degree = 8}) ==
        "random_regular: expected at most 268435456 edges, got about 4e+09");
}
