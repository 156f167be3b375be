// EquiTopo's weights of a few nodes by hand, and of all sizes by their definition.
#include <gossip/mixing/equi_weights.hpp>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <gossip/topology/equi_dynamic.hpp>
#include <gossip/topology/equi_static.hpp>
#include <gossip/topology/exponential.hpp>
#include <gossip/topology/ring.hpp>
#include <gossip/topology/star.hpp>

#include "../catch.hpp"

using gossip::equi_dynamic;
using gossip::equi_static;
using gossip::equi_weights;
using gossip::graph;

namespace {

using dense = std::vector<std::vector<double>>;  // (n,n)

dense zeros(std::size_t n) {
  return dense(n, std::vector<double>(n, 0.0));
}

/// Adds scale ((n-1)/n P_a + I/n): row i has the n-1 parts of node i + a.
void add(dense &w, std::size_t a, double scale) {
  std::size_t const n = w.size();
  for (std::size_t i = 0; i < n; ++i) {
    w[i][(i + a) % n] += scale * static_cast<double>(n - 1) / static_cast<double>(n);
    w[i][i] += scale / static_cast<double>(n);
  }
}

void check_equal(gossip::mixing_matrix const &made, dense const &expected) {
  CHECK(made.is_doubly_stochastic(1e-12));
  double most = 0;
  for (std::size_t i = 0; i < expected.size(); ++i)
    for (std::size_t j = 0; j < expected.size(); ++j)
      most = std::max(most, std::abs(made.at(i, j) - expected[i][j]));
  CHECK(most < 1e-14);
}

}  // namespace

TEST_CASE("two offsets of five nodes have two fifths each, and a fifth stays", "[mixing]") {
  // Node 0 hears from 1 and 2, so 1 sends to 0.
  auto const g = graph::directed(
      5, {{1, 0}, {2, 1}, {3, 2}, {4, 3}, {0, 4}, {2, 0}, {3, 1}, {4, 2}, {0, 3}, {1, 4}});
  auto const w = equi_weights{}.weights(g)[0];
  CHECK(w.at(0, 1) == 0.4);
  CHECK(w.at(0, 2) == 0.4);
  CHECK(w.at(0, 3) == 0.0);
  CHECK(w.at(0, 0) == Approx(0.2).epsilon(1e-15));
  CHECK(w.is_doubly_stochastic());
}

TEST_CASE("the opposite node has the weight of two, for both are its offset", "[mixing]") {
  // Offsets 1 and 3 of six nodes: 5/6 in four parts, to 1, 5, and twice to 3.
  auto const g = graph::undirected(
      6, {{0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 5}, {5, 0}, {0, 3}, {1, 4}, {2, 5}});
  auto const w = equi_weights{}.weights(g)[0];
  CHECK(w.at(0, 1) == Approx(5.0 / 24).epsilon(1e-15));
  CHECK(w.at(0, 5) == Approx(5.0 / 24).epsilon(1e-15));
  CHECK(w.at(0, 3) == Approx(10.0 / 24).epsilon(1e-15));
  CHECK(w.at(0, 0) == Approx(1.0 / 6).epsilon(1e-15));
  CHECK(w.is_symmetric(0.0));
}

TEST_CASE("static weights are the mean of (n-1)/n P_a + I/n, undirected with its transpose",
          "[mixing]") {
  for (std::size_t n = 2; n <= 24; ++n)
    for (bool const directed : {true, false})
      for (std::size_t m = 1; m <= (directed ? n - 1 : n / 2); ++m) {
        CAPTURE(n, m, directed);
        auto const g = equi_static{n, m, directed}.build(n);
        dense w = zeros(n);
        // Node n - a sends to node 0 as node 0 does to a.
        for (gossip::node const a : g.neighbors(0)) {
          double const size = static_cast<double>(m);
          if (directed) add(w, n - a, 1 / size);
          if (!directed) add(w, a, (std::size_t{2} * a == n ? 1.0 : 0.5) / size);
        }
        auto const made = equi_weights{0.2}.weights(g);
        CHECK(made.values().size() == 1);
        check_equal(made[0], w);
      }
}

TEST_CASE("rounds are damped, and who has no peer keeps its model", "[mixing]") {
  for (std::size_t const n : {2U, 3U, 8U, 17U})
    for (bool const directed : {true, false})
      for (double const damping : {0.3, 0.5, 1.0}) {
        auto const g = equi_dynamic{.nodes = n, .rounds = 8, .directed = directed}.build(n);
        auto const made = equi_weights{damping}.weights(g);
        REQUIRE(made.period() == 8);
        for (std::size_t k = 0; k < 8; ++k) {
          CAPTURE(n, directed, damping, k);
          graph const heard = (*g.rounds())[k].reversed();
          double const moved = damping * static_cast<double>(n - 1) / static_cast<double>(n);
          dense w = zeros(n);
          for (std::size_t i = 0; i < n; ++i) {
            w[i][i] = heard.degree(i) == 0 ? 1 : 1 - moved;
            for (gossip::node const j : heard.neighbors(i)) w[i][j] = moved;
          }
          check_equal(made[k], w);
          if (!directed) CHECK(made[k].is_symmetric(0.0));
        }
      }
}

TEST_CASE("graphs of other names with shared offsets have EquiTopo's weights too", "[mixing]") {
  auto const ring = equi_weights{}.weights(gossip::ring{9}.build())[0];
  CHECK(ring.at(0, 1) == Approx(4.0 / 9).epsilon(1e-15));
  CHECK(equi_weights{}.weights(gossip::exponential{12}.build())[0].is_doubly_stochastic());
  CHECK(equi_weights{}.weights(graph::undirected(1, {}))[0].at(0, 0) == 1.0);
  CHECK(equi_weights{}.weights(graph::directed(1, {}))[0].at(0, 0) == 1.0);
}

TEST_CASE("EquiTopo's weights refuse other graphs and other damping", "[mixing]") {
  std::string const expected =
      "equi_weights: expected offsets that are common to all nodes, or pairs, got ";
  CHECK_THROWS_WITH(equi_weights{}.weights(gossip::star{4}.build()),
                    expected + "node 1 without the offsets of node 0");
  CHECK_THROWS_WITH(equi_weights{}.weights(graph::directed(3, {{0, 1}, {1, 0}})),
                    expected + "node 1 without the offsets of node 0");
  CHECK_THROWS_WITH(equi_weights{}.weights(graph::undirected(4, {{1, 2}, {2, 3}})),
                    expected + "node 0 without neighbors");
  CHECK_THROWS_WITH(equi_weights{}.weights(graph::directed(4, {{0, 1}, {1, 2}, {2, 0}})),
                    expected + "node 1 without the offsets of node 0");
  CHECK_THROWS_WITH(equi_weights{}.weights(
                        graph::undirected(6, {{0, 1}, {1, 2}, {2, 0}, {3, 4}, {4, 5}, {5, 3}})),
                    expected + "node 1 without the offsets of node 0");
  CHECK_THROWS_WITH(equi_weights{}.weights(graph::undirected(
                        6, {{0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 5}, {5, 0}, {1, 4}})),
                    expected + "node 1 without the offsets of node 0");
  CHECK_THROWS_WITH(equi_weights{0}.weights(gossip::ring{4}.build()),
                    "equi_weights: damping: expected a number above 0, at most 1, got 0");
  CHECK_THROWS_WITH(equi_weights{1.5}.weights(gossip::ring{4}.build()),
                    "equi_weights: damping: expected a number above 0, at most 1, got 1.5");
}

TEST_CASE("EquiTopo's matrices of 100,000 nodes are doubly stochastic", "[mixing]") {
  for (bool const directed : {true, false}) {
    CHECK(
        equi_weights{}.weights(equi_static{100'000, 8, directed}.build(1))[0].is_doubly_stochastic(
            1e-12));
    auto const rounds = equi_weights{}.weights(
        equi_dynamic{.nodes = 100'000, .rounds = 8, .directed = directed}.build(1));
    for (auto const &w : rounds.values()) CHECK(w.is_doubly_stochastic(1e-12));
  }
}
