// Weights in float: each row keeps its sum, and with it each column of a symmetric matrix.
#include <gossip/mixing/cast_weights.hpp>

#include <cmath>
#include <cstddef>
#include <vector>

#include <gossip/mixing/max_degree.hpp>
#include <gossip/mixing/metropolis_hastings.hpp>
#include <gossip/mixing/one_peer.hpp>
#include <gossip/mixing/uniform_neighbor.hpp>
#include <gossip/topology/complete.hpp>
#include <gossip/topology/erdos_renyi.hpp>
#include <gossip/topology/exponential.hpp>
#include <gossip/topology/random_regular.hpp>
#include <gossip/topology/ring.hpp>
#include <gossip/topology/star.hpp>
#include <gossip/topology/torus.hpp>

#include "../catch.hpp"

using gossip::cast_weights;
using gossip::graph;
using gossip::mixing_matrix;

namespace {

/// Sums of rows and of columns. Sums of floats are exact in double where there are few.
struct sums {
  std::vector<double> rows, columns;
};

template <class T>
sums sums_of(mixing_matrix const &w, std::vector<T> const &weights) {
  sums found{std::vector<double>(w.rows()), std::vector<double>(w.rows())};
  auto const [offsets, columns, values] = w.compressed();
  for (std::size_t i = 0; i < w.rows(); ++i)
    for (std::size_t k = offsets[i]; k < offsets[i + 1]; ++k) {
      found.rows[i] += static_cast<double>(weights[k]);
      found.columns[columns[k]] += static_cast<double>(weights[k]);
    }
  return found;
}

std::vector<graph> undirected_graphs() {
  std::vector<graph> made;
  for (std::size_t const n : {1U, 2U, 3U, 17U, 60U}) {
    made.push_back(gossip::ring{n}.build());
    made.push_back(gossip::star{n}.build());
    made.push_back(gossip::complete{n}.build());
    made.push_back(gossip::erdos_renyi{n, n < 4 ? 0.9 : 0.3}.build(n));
  }
  made.push_back(gossip::torus{3, 7}.build());
  made.push_back(gossip::random_regular{50, 8}.build(1));
  return made;
}

}  // namespace

TEST_CASE("rows and columns of symmetric weights sum to 1 in float, to the last bit", "[mixing]") {
  for (graph const &g : undirected_graphs()) {
    CAPTURE(g.nodes(), g.edges());
    for (mixing_matrix const &w :
         {gossip::metropolis_hastings{}.weights(g), gossip::max_degree{}.weights(g)}) {
      sums const found = sums_of(w, cast_weights<float>(w));
      std::vector<double> const ones(w.rows(), 1.0);
      CHECK(found.rows == ones);
      CHECK(found.columns == ones);
    }
  }
}

TEST_CASE("weights in float are those in double but for 2^-17 of them", "[mixing]") {
  for (graph const &g : undirected_graphs()) {
    mixing_matrix const w = gossip::metropolis_hastings{}.weights(g);
    auto const [offsets, columns, values] = w.compressed();
    auto const cast = cast_weights<float>(w);
    REQUIRE(cast.size() == values.size());
    for (std::size_t i = 0; i < w.rows(); ++i)
      for (std::size_t k = offsets[i]; k < offsets[i + 1]; ++k) {
        double const more = static_cast<double>(cast[k]) - values[k];
        if (columns[k] == i)  // takes the others' cuts, and its own rounding
          CHECK((more >= -0x1p-25 && more <= 0x1p-17 + 0x1p-25));
        else
          CHECK((more <= 0.0 && more > -0x1p-17 * values[k]));
      }
  }
}

TEST_CASE("a hub and its many leaves lose half a unit in the last place at most", "[mixing]") {
  mixing_matrix const w = gossip::metropolis_hastings{}.weights(gossip::star{100'000}.build());
  auto const cast = cast_weights<float>(w);
  sums const found = sums_of(w, cast);
  CHECK(cast[0] >= 0.0F);
  for (double const sum : found.rows) CHECK(std::abs(sum - 1.0) <= 0x1p-25);
}

TEST_CASE("sums of rows alone, of columns alone, and of a period are kept", "[mixing]") {
  graph const directed = gossip::exponential{11}.build();
  mixing_matrix const rows = gossip::uniform_neighbor{}.weights(directed);
  CHECK(sums_of(rows, cast_weights<float>(rows)).rows == std::vector<double>(11, 1.0));

  // Of three nodes, node 0 sends a third to each, the others keep 0.7 and 0.9.
  mixing_matrix const shares({0, 3, 5, 7}, {0, 1, 2, 0, 1, 0, 2},
                             {1 / 3.0, 0.3, 0.1, 1 / 3.0, 0.7, 1 / 3.0, 0.9},
                             gossip::stochastic::columns);
  sums const found = sums_of(shares, cast_weights<float>(shares));
  CHECK(found.columns == std::vector<double>(3, 1.0));
  CHECK(found.rows[1] == Approx(1 / 3.0 + 0.7).margin(0x1p-16));

  for (mixing_matrix const &w : gossip::one_peer{}.weights(directed)) {
    auto const values = w.compressed().values;
    CHECK(cast_weights<float>(w) == std::vector<float>(values.begin(), values.end()));
  }
}

TEST_CASE("a negative weight keeps the sum too, and double keeps every weight", "[mixing]") {
  mixing_matrix const w({0, 2, 4}, {0, 1, 0, 1}, {1.1, -0.1, -0.1, 1.1});
  CHECK(sums_of(w, cast_weights<float>(w)).rows == std::vector<double>{1.0, 1.0});
  CHECK(cast_weights<double>(w) == std::vector<double>{1.1, -0.1, -0.1, 1.1});
}
