// Tests of Base-(k+1) graphs: published lengths, degrees, and the mean after a period.
#include <gossip/topology/base_graph.hpp>

#include <algorithm>
#include <cmath>
#include <map>
#include <vector>

#include <gossip/mixing/base_graph_weights.hpp>
#include <gossip/mixing/spectrum.hpp>
#include <gossip/topology/ring.hpp>

#include "files.hpp"

using gossip::base_graph;
using gossip::base_graph_weights;

namespace {

// The greatest entry of W^(T-1) ... W^(0) - J.
double left_of(std::vector<gossip::mixing_matrix> const &rounds) {
  std::size_t const n = rounds[0].rows();
  double most = 0;
  for (std::size_t j = 0; j < n; ++j) {
    std::vector<double> x(n, 0.0), y(n);
    x[j] = 1;
    for (auto const &w : rounds) {
      gossip::detail::multiply(w, x, y);
      x.swap(y);
    }
    for (double const value : x)
      most = std::max(most, std::abs(value - 1 / static_cast<double>(n)));
  }
  return most;
}

}  // namespace

TEST_CASE("after a period of Base-(k+1) rounds every node has the mean", "[topology]") {
  for (std::size_t n = 2; n <= 40; ++n)
    for (std::size_t peers = 1; peers <= 3 && peers < n; ++peers) {
      CAPTURE(n, peers);
      auto const g = base_graph{n, peers}.build();
      auto const rounds = base_graph_weights{peers}.weights(g);
      for (auto const &w : rounds) {
        CHECK(w.is_doubly_stochastic());
        CHECK(w.is_symmetric());
        for (std::size_t i = 0; i < n; ++i) CHECK(w.row(i).columns.size() <= peers + 1);
      }
      CHECK(left_of(rounds) < 1e-9);
      CHECK(static_cast<double>(rounds.size()) <=
            2 * std::log(n) / std::log(static_cast<double>(peers + 1)) + 2);
      if (g.rounds()) CHECK(g.rounds()->values().size() == rounds.size());
    }
}

TEST_CASE("the lengths of Base-(k+1) graphs are those of the authors' program", "[topology]") {
  std::map<std::size_t, std::map<std::size_t, std::size_t>> const known{
      {1,
       {{5, 5}, {6, 4}, {8, 3}, {16, 4}, {22, 8}, {25, 9}, {32, 5}, {50, 10}, {64, 6}, {100, 11}}},
      {2, {{25, 6}, {100, 8}}},
      {3, {{25, 5}, {100, 6}}},
      {4, {{25, 2}, {100, 3}}}};
  for (auto const &[peers, lengths] : known)
    for (auto const &[n, length] : lengths) {
      CAPTURE(n, peers);
      CHECK(gossip::detail::base_graph_rounds(n, peers).size() == length);
    }
}

TEST_CASE("the gap of Base-(k+1) weights is 1", "[topology]") {
  auto const g = base_graph{25, 2}.build();
  gossip::by_round<gossip::mixing_matrix> const w = base_graph_weights{2}.weights(g);
  CHECK(gossip::spectral_gap(w).gap == 1.0);
}

TEST_CASE("Base-(k+1) weights on another topology are refused", "[topology]") {
  CHECK_THROWS_WITH(base_graph_weights{}.weights(gossip::ring{12}.build()),
                    "base_graph_weights: expected the topology base_graph with an equal number of "
                    "peers, got a graph without an edge of 0 and 2");
  CHECK(gossip::test::refusal(base_graph{.nodes = 4, .peers = 4}) ==
        "base_graph: peers: expected a number below nodes (4), got 4");
  CHECK(base_graph{1, 1}.build().nodes() == 1);
}
