// Tests of EquiTopo's rounds of one peer: shifts and matchings, and the same rate of mixing for any
// number of nodes, by all draws of small networks and by long runs of larger ones.
#include <gossip/topology/equi_dynamic.hpp>

#include <algorithm>
#include <cmath>
#include <complex>
#include <set>
#include <vector>

#include <gossip/mixing/equi_weights.hpp>
#include <gossip/mixing/spectrum.hpp>

#include "files.hpp"
#include "numbers_of_nodes.hpp"

using gossip::equi_dynamic;
using gossip::equi_weights;
using gossip::graph;
using gossip::mixing_matrix;

namespace {

/// The weights of a round with this graph.
mixing_matrix of_round(graph const &g, double damping) {
  return equi_weights{damping}.weights(graph::changing(std::vector{g}))[0];
}

/// The eigenvalues, ascending, of the mean of W'W over graphs of n nodes.
std::vector<double> mean_contraction(std::vector<graph> const &graphs, double damping) {
  std::size_t const n = graphs[0].nodes();
  std::vector<double> mean(n * n, 0.0);  // (n,n)
  for (graph const &g : graphs) {
    auto const w = of_round(g, damping);
    for (std::size_t i = 0; i < n; ++i) {
      auto const row = w.row(i);
      for (std::size_t a = 0; a < row.columns.size(); ++a)
        for (std::size_t b = 0; b < row.columns.size(); ++b)
          mean[row.columns[a] * n + row.columns[b]] +=
              row.values[a] * row.values[b] / static_cast<double>(graphs.size());
    }
  }
  std::vector<std::size_t> offsets{0};
  std::vector<gossip::node> columns;
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) columns.push_back(static_cast<gossip::node>(j));
    offsets.push_back(columns.size());
  }
  return gossip::eigenvalues({offsets, columns, mean});
}

graph shift(std::size_t n, std::size_t a) {
  std::vector<gossip::edge> arcs;
  gossip::detail::append_shift(arcs, n, a, true);
  return graph::directed(n, arcs);
}

}  // namespace

TEST_CASE("in a directed round every node hears from the one the same number of places on",
          "[topology]") {
  for (std::size_t const n : {2U, 3U, 16U, 17U}) {
    auto const g = equi_dynamic{.nodes = n, .rounds = 9, .directed = true}.build(4);
    REQUIRE(g.rounds() != nullptr);
    CHECK(g.rounds()->period() == 9);
    CHECK(gossip::is_strongly_connected(g));
    for (graph const &round : g.rounds()->values()) {
      std::size_t const back = round.neighbors(0)[0];
      for (std::size_t i = 0; i < n; ++i) {
        REQUIRE(round.degree(i) == 1);
        CHECK(round.neighbors(i)[0] == (i + back) % n);
      }
    }
    CHECK(g == equi_dynamic{.nodes = n, .rounds = 9, .directed = true}.build(4));
    if (n > 3) CHECK_FALSE(g == equi_dynamic{.nodes = n, .rounds = 9, .directed = true}.build(5));
  }
}

TEST_CASE("pairs of a round are those of one offset, taken in order from a random node",
          "[topology]") {
  // Offset 2 of 7 from node 5 on: 5 with 0, 6 with 1, 2 with 4; 3 is left with 5, who is taken.
  auto const seven = graph::undirected(7, gossip::detail::offset_matching(7, 2, 5));
  CHECK(seven == graph::undirected(7, {{5, 0}, {6, 1}, {2, 4}}));
  CHECK(gossip::detail::offset_matching(8, 4, 3).size() == 4);
  for (std::size_t n = 2; n <= 24; ++n)
    for (std::size_t a = 1; a < n; ++a)
      for (std::size_t s = 0; s < n; ++s) {
        auto const g = graph::undirected(n, gossip::detail::offset_matching(n, a, s));
        std::size_t apart = 0, missed = 0;
        for (std::size_t i = 0; i < n; ++i) {
          apart += g.degree(i) == 0;
          missed += g.degree(i) == 0 && g.degree((i + a) % n) == 0;
          if (g.degree(i) > 1 ||
              (g.degree(i) == 1 && !g.has_edge(i, (i + a) % n) && !g.has_edge(i, (i + n - a) % n)))
            FAIL_CHECK("node " << i << " of " << n << ", offset " << a << " from " << s);
        }
        // No two neighbors of a cycle of n / gcd nodes are both left, so at most a third is.
        CHECK(missed == 0);
        CHECK(3 * apart <= n);
      }
}

TEST_CASE("rounds choose every offset and every start alike, or those of a smaller set",
          "[topology]") {
  constexpr std::size_t n = 8, rounds = 14'000;
  auto const g = equi_dynamic{.nodes = n, .rounds = rounds, .directed = true}.build(2);
  std::vector<std::size_t> count(n, 0);
  for (graph const &round : g.rounds()->values()) ++count[round.neighbors(0)[0]];
  for (std::size_t a = 1; a < n; ++a)  // standard deviation 41
    CHECK(static_cast<double>(count[a]) == Approx(2000).margin(180));

  // Pairs of offset 1 of 5 nodes leave the start's predecessor: each node in a fifth of rounds.
  auto const pairs = equi_dynamic{.nodes = 5, .rounds = rounds}.build(2);
  std::vector<std::size_t> alone(5, 0);
  for (graph const &round : pairs.rounds()->values())
    for (std::size_t i = 0; i < 5; ++i) alone[i] += round.degree(i) == 0;
  for (std::size_t i = 0; i < 5; ++i)  // standard deviation 47
    CHECK(static_cast<double>(alone[i]) == Approx(2800).margin(200));

  std::set<std::size_t> used;
  auto const few = equi_dynamic{.nodes = 17, .rounds = 50, .offsets = 3, .directed = true}.build(1);
  for (graph const &round : few.rounds()->values()) used.insert(round.neighbors(0)[0]);
  CHECK(used.size() == 3);
}

TEST_CASE("a directed round leaves (1 - d)^2 + d^2 (1 - 2 / n) of the variance on average",
          "[topology]") {
  // Of every x of mean 0: the mean of A_a is J, that of A_a' A_a is (1 - 2 / n) I there.
  for (std::size_t const n : {2U, 3U, 8U, 17U, 30U})
    for (double const d : {0.3, 0.5, 1.0}) {
      std::vector<graph> all;
      for (std::size_t a = 1; a < n; ++a) all.push_back(shift(n, a));
      auto const left = mean_contraction(all, d);
      CAPTURE(n, d);
      CHECK(left.back() == Approx(1).epsilon(1e-12));
      double const expected = (1 - d) * (1 - d) + d * d * (1 - 2 / static_cast<double>(n));
      CHECK(left.front() == Approx(expected).margin(1e-12));
      CHECK(left[n - 2] == Approx(expected).margin(1e-12));
    }
}

TEST_CASE("a round of pairs leaves at most 1 - 4/3 d (1 - d) of the variance on average",
          "[topology]") {
  // Two thirds of the nodes have a peer at least; over all offsets and starts.
  for (std::size_t n = 2; n <= 20; ++n)
    for (double const d : {0.3, 0.5}) {
      std::vector<graph> all;
      for (std::size_t a = 1; a < n; ++a)
        for (std::size_t s = 0; s < n; ++s)
          all.push_back(graph::undirected(n, gossip::detail::offset_matching(n, a, s)));
      double const left = mean_contraction(all, d)[n - 2];
      CAPTURE(n, d, left);
      CHECK(left <= 1 - 4.0 / 3 * d * (1 - d));
    }
}

TEST_CASE("X <- W X of one peer a round reaches the mean at one rate for all n", "[topology]") {
  // The mean of |x|^2 is the T-th power of that of a round (below): at most 1/2 with arcs and 2/3
  // with pairs, and ln |x|^2 is below the logarithm of its mean. Means over 20 seeds have standard
  // deviations of 0.04 (16 nodes, arcs) to 0.004 (512 nodes, pairs).
  for (bool const directed : {true, false})
    for (std::size_t const n : {16U, 64U, 512U}) {
      double mean = 0;
      constexpr std::size_t seeds = 20;
      for (std::uint64_t seed = 0; seed < seeds; ++seed) {
        auto const w = equi_weights{}.weights(
            equi_dynamic{.nodes = n, .rounds = 32, .directed = directed}.build(seed));
        std::vector<double> x = gossip::test::scattered_numbers(n, seed), y(n);
        double const begin = gossip::test::squares(x);
        for (std::size_t k = 0; k < 32; ++k) {
          gossip::detail::multiply(w[k], x, y);
          x.swap(y);
        }
        mean += std::log(gossip::test::squares(x) / begin) / (32.0 * seeds);
      }
      CAPTURE(n, directed, mean);
      CHECK(std::exp(mean) < (directed ? 0.5 : 2.0 / 3));
      CHECK(std::exp(mean) > 0.25);
    }
}

TEST_CASE("four directed rounds leave the fourth power of what one leaves", "[topology]") {
  // Rounds are independent, and of prime n all of them connect: ((1 - 1 / n) / 2)^4 with d = 1/2.
  for (std::size_t const n : {17U, 509U}) {
    auto const x = gossip::test::scattered_numbers(n, n);
    constexpr std::size_t seeds = 2000;
    double sum = 0, sum_of_squares = 0;
    for (std::uint64_t seed = 0; seed < seeds; ++seed) {
      auto const w = equi_weights{}.weights(
          equi_dynamic{.nodes = n, .rounds = 4, .directed = true}.build(seed));
      std::vector<double> mixed = x, y(n);
      for (std::size_t k = 0; k < 4; ++k) {
        gossip::detail::multiply(w[k], mixed, y);
        mixed.swap(y);
      }
      double const left = gossip::test::squares(mixed) / gossip::test::squares(x);
      sum += left;
      sum_of_squares += left * left;
    }
    double const mean = sum / seeds;
    double const error = std::sqrt((sum_of_squares / seeds - mean * mean) / seeds);
    double const expected = std::pow((1 - 1 / static_cast<double>(n)) / 2, 4);
    CAPTURE(n, mean, expected, error);
    CHECK(std::abs(mean - expected) < 4 * error);
    CHECK(error < 0.05 * expected);
  }
}

TEST_CASE("rho of directed rounds is that of the product of their circulants", "[topology]") {
  constexpr double pi = 3.14159265358979323846;
  for (std::size_t const n : {16U, 17U, 64U}) {
    auto const w = equi_weights{}.weights(equi_dynamic{.nodes = n, .directed = true}.build(3));
    REQUIRE(w.period() == 16);
    double most = 0;
    for (std::size_t k = 1; k < n; ++k) {
      double left = 1;
      for (mixing_matrix const &one : w.values()) {
        std::complex<double> sum = 0;
        for (std::size_t j = 0; j < n; ++j)
          sum += std::polar(one.at(0, j),
                            2 * pi * static_cast<double>(j * k % n) / static_cast<double>(n));
        left *= std::abs(sum);
      }
      most = std::max(most, left);
    }
    CHECK(gossip::spectral_gap(w).rho == Approx(std::pow(most, 1.0 / 16)).epsilon(1e-6));
  }
}

TEST_CASE("rounds that do not exist are refused in a sentence", "[topology]") {
  using gossip::test::refusal;
  CHECK(refusal(equi_dynamic{.nodes = 0}) == "equi_dynamic: nodes must be at least 1, got 0");
  CHECK(refusal(equi_dynamic{.rounds = 0}) == "equi_dynamic: rounds must be at least 1, got 0");
  CHECK(refusal(equi_dynamic{.offsets = 9}) ==
        "equi_dynamic: offsets: expected at most 8 (nodes / 2), got 9");
  CHECK(refusal(equi_dynamic{.nodes = 16, .rounds = 1}) ==
        "equi_dynamic: found no rounds whose union is connected, 1 of 16 nodes; 6 rounds that "
        "choose from "
        "all offsets are usually enough");
  CHECK(equi_dynamic{.nodes = 1}.build(1).nodes() == 1);
  for (bool const directed : {true, false}) {
    auto const large = equi_dynamic{.nodes = 100'000, .rounds = 12, .directed = directed}.build(1);
    CHECK(large.rounds()->values().size() == 12);
  }
}
