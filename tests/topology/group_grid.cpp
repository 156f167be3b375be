// Tests of groups on a grid: who is in them, the mean after all dimensions, and what random groups
// leave of the variance.
#include <gossip/topology/group_grid.hpp>

#include <algorithm>
#include <cmath>
#include <vector>

#include <gossip/core/random.hpp>
#include <gossip/mixing/detail/lanczos.hpp>
#include <gossip/mixing/metropolis_hastings.hpp>
#include <gossip/mixing/spectrum.hpp>
#include <gossip/mixing/uniform_neighbor.hpp>
#include <gossip/topology/complete.hpp>

#include "files.hpp"

using gossip::graph;
using gossip::group_grid;
using gossip::node;

namespace {

std::vector<graph> rounds_of(graph const &g) {
  if (g.rounds() == nullptr) return {g};
  auto const all = g.rounds()->values();
  return {all.begin(), all.end()};
}

/// The greatest entry of W^(T-1) ... W^(0) - J.
double left_of(std::vector<graph> const &rounds) {
  std::size_t const n = rounds[0].nodes();
  double most = 0;
  for (std::size_t j = 0; j < n; ++j) {
    std::vector<double> x(n, 0.0), y(n);
    x[j] = 1;
    for (graph const &g : rounds) {
      gossip::detail::multiply(gossip::uniform_neighbor{}.weights(g), x, y);
      x.swap(y);
    }
    for (double const value : x)
      most = std::max(most, std::abs(value - 1 / static_cast<double>(n)));
  }
  return most;
}

}  // namespace

TEST_CASE("a round joins nodes whose other coordinates are equal", "[topology]") {
  // Cells 0 1 2 / 3 4 5 / 6 7: rows first, then columns, of which the last is short.
  auto const rounds = rounds_of(group_grid{.nodes = 8, .side = 3}.build(1));
  REQUIRE(rounds.size() == 2);
  CHECK(rounds[0] ==
        graph::undirected(8, {{0, 1}, {0, 2}, {1, 2}, {3, 4}, {3, 5}, {4, 5}, {6, 7}}));
  CHECK(rounds[1] ==
        graph::undirected(8, {{0, 3}, {0, 6}, {3, 6}, {1, 4}, {1, 7}, {4, 7}, {2, 5}}));
}

TEST_CASE("after one round a dimension all of side^d nodes have their mean", "[topology]") {
  struct known {
    std::size_t side, dimensions, nodes;
  };
  for (known const k : {known{2, 1, 2}, known{2, 5, 32}, known{3, 3, 27}, known{4, 2, 16},
                        known{5, 3, 125}, known{7, 1, 7}, known{16, 2, 256}}) {
    CAPTURE(k.side, k.dimensions);
    group_grid const made{.nodes = k.nodes, .side = k.side, .passes = 2};
    CHECK(made.dimensions() == k.dimensions);
    auto const rounds = rounds_of(made.build(5));
    REQUIRE(rounds.size() == 2 * k.dimensions);
    auto const middle = rounds.begin() + static_cast<std::ptrdiff_t>(k.dimensions);
    CHECK(left_of({rounds.begin(), middle}) < 1e-12);
    CHECK(left_of({middle, rounds.end()}) < 1e-12);
    if (k.dimensions > 1) CHECK(left_of({rounds.begin(), middle - 1}) > 0.5 / 256);
  }
  auto const w = gossip::weights_by_round(gossip::uniform_neighbor{}, group_grid{27, 3}.build(1));
  CHECK(gossip::spectral_gap(w).gap == 1.0);
}

TEST_CASE("groups have at most side nodes, are cliques, and mix doubly stochastically",
          "[topology]") {
  for (std::size_t n = 1; n <= 40; ++n)
    for (std::size_t const side : {2U, 3U, 4U, 7U, 50U}) {
      CAPTURE(n, side);
      group_grid const made{.nodes = n, .side = side, .passes = 3};
      auto const g = made.build(n);
      CHECK(gossip::is_connected(g));
      CHECK(gossip::is_connected(group_grid{.nodes = n, .side = side}.build(n)));
      CHECK(g == made.build(n));
      auto const rounds = rounds_of(g);
      CHECK(rounds.size() == 3 * made.dimensions());
      CHECK(static_cast<double>(n) <= std::pow(side, made.dimensions()));
      if (made.dimensions() > 1)
        CHECK(static_cast<double>(n) > std::pow(side, made.dimensions() - 1));
      for (graph const &round : rounds) {
        auto const equal = gossip::uniform_neighbor{}.weights(round);
        CHECK(equal.is_doubly_stochastic(1e-12));
        CHECK(gossip::metropolis_hastings{}.weights(round).is_doubly_stochastic(1e-12));
        std::size_t worst = 0, apart = 0;
        for (std::size_t i = 0; i < n; ++i) {
          worst = std::max(worst, round.degree(i) + 1);
          for (node const a : round.neighbors(i))
            for (node const b : round.neighbors(i)) apart += a != b && !round.has_edge(a, b);
        }
        CHECK(worst <= side);
        CHECK(apart == 0);
      }
    }
}

TEST_CASE("random groups of n / r nodes leave (r - 1) / (n - 1) of the variance on average",
          "[topology]") {
  // The mean of g of n numbers drawn without replacement has a variance of (n - g) / (g (n - 1)) of
  // theirs, and g = n / r. The first round of the second pass has such groups, for any x.
  struct known {
    std::size_t nodes, side;
  };
  for (known const k : {known{27, 3}, known{64, 4}, known{64, 8}, known{12, 6}}) {
    std::vector<double> x(k.nodes), y(k.nodes);
    for (std::size_t i = 0; i < k.nodes; ++i) x[i] = static_cast<double>(i * i % 17);
    gossip::detail::subtract_mean(x);
    double const begin = gossip::detail::inner_product(x, x);
    constexpr std::size_t seeds = 4000;
    double sum = 0, sum_of_squares = 0;
    for (std::uint64_t seed = 0; seed < seeds; ++seed) {
      group_grid const made{.nodes = k.nodes, .side = k.side, .passes = 2};
      auto const g = made.build(seed);
      gossip::detail::multiply(gossip::uniform_neighbor{}.weights((*g.rounds())[made.dimensions()]),
                               x, y);
      double const left = gossip::detail::inner_product(y, y) / begin;
      sum += left;
      sum_of_squares += left * left;
    }
    double const mean = sum / seeds;
    double const error = std::sqrt((sum_of_squares / seeds - mean * mean) / seeds);
    double const groups = static_cast<double>(k.nodes / k.side);
    double const expected = (groups - 1) / static_cast<double>(k.nodes - 1);
    CAPTURE(k.nodes, k.side, mean, expected, error);
    CHECK(std::abs(mean - expected) < 4 * error);
    CHECK(error < 0.03 * expected);
  }
}

TEST_CASE("later passes have other groups, with every pair as often", "[topology]") {
  constexpr std::size_t n = 9, seeds = 4000;
  std::vector<std::size_t> together(n * n, 0);
  for (std::uint64_t seed = 0; seed < seeds; ++seed) {
    auto const g = group_grid{.nodes = n, .side = 3, .passes = 2}.build(seed);
    for (gossip::edge const e : (*g.rounds())[2].edge_list()) ++together[e.from * n + e.to];
  }
  // 9 of 36 pairs a round: 1,000, standard deviation 27.
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = i + 1; j < n; ++j)
      CHECK(static_cast<double>(together[i * n + j]) == Approx(1000).margin(130));
}

TEST_CASE("the size of a grid of groups is that of its union, of several passes the mean",
          "[topology]") {
  for (std::size_t n = 1; n <= 40; ++n)
    for (std::size_t const side : {2U, 3U, 5U, 50U})
      CHECK(group_grid{.nodes = n, .side = side}.size().edges ==
            static_cast<double>(group_grid{.nodes = n, .side = side}.build(1).edges()));
  group_grid const made{.nodes = 30, .side = 4, .passes = 3};
  double mean = 0;
  for (std::uint64_t seed = 0; seed < 400; ++seed)
    mean += static_cast<double>(made.build(seed).edges()) / 400;
  CHECK(made.size().edges == Approx(mean).epsilon(0.01));
}

TEST_CASE("one dimension is the complete graph, and what is no grid is refused", "[topology]") {
  using gossip::test::refusal;
  CHECK(group_grid{.nodes = 7, .side = 9}.build(1) == gossip::complete{7}.build());
  CHECK(refusal(group_grid{.nodes = 0}) == "group_grid: nodes must be at least 1, got 0");
  CHECK(refusal(group_grid{.side = 1}) == "group_grid: side must be at least 2, got 1");
  CHECK(refusal(group_grid{.passes = 0}) == "group_grid: passes must be at least 1, got 0");
  CHECK(refusal(group_grid{.nodes = 100'000, .side = 100'000}) ==
        "group_grid: expected at most 268435456 edges, got about 4.99995e+09");
  CHECK(refusal(group_grid{.nodes = std::size_t{1} << 40, .side = 2}) ==
        "group_grid: expected at most 268435456 edges, got about 1.09951e+12");
  auto const large = group_grid{.nodes = 100'000, .side = 10, .passes = 2}.build(1);
  CHECK(large.rounds()->values().size() == 10);
  for (graph const &g : large.rounds()->values()) CHECK(g.edges() == 450'000);
}
