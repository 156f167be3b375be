// Tests of the matrix itself.
#include <gossip/mixing/cast_weights.hpp>
#include <gossip/mixing/matrix.hpp>

#include <vector>

#include "../catch.hpp"

using gossip::graph;
using gossip::mixing_matrix;

TEST_CASE("weights over a graph leave the rest to the diagonal", "[mixing]") {
  auto const w =
      mixing_matrix::over(graph::undirected(3, {{0, 1}, {1, 2}}),
                          [](std::size_t i, std::size_t) { return i == 1 ? 0.5 : 0.25; });

  CHECK(w.rows() == 3);
  CHECK(w.entries() == 7);
  auto const row = w.row(1);
  CHECK(std::vector<gossip::node>(row.columns.begin(), row.columns.end()) ==
        std::vector<gossip::node>{0, 1, 2});
  CHECK(std::vector<double>(row.values.begin(), row.values.end()) ==
        std::vector<double>{0.5, 0.0, 0.5});
  CHECK(w.at(0, 0) == 0.75);
  CHECK(w.at(0, 2) == 0.0);
  CHECK_FALSE(w.is_symmetric());
  CHECK_FALSE(w.is_doubly_stochastic());
}

TEST_CASE("a neighbour of weight 0 gets no entry", "[mixing]") {
  auto const w =
      mixing_matrix::over(graph::undirected(4, {{0, 1}, {1, 2}, {2, 3}}),
                          [](std::size_t i, std::size_t j) { return i + j == 3 ? 0.0 : 0.25; });
  CHECK(w.entries() == 8);
  CHECK(w.at(1, 2) == 0.0);
  CHECK(w.at(1, 1) == 0.75);
  CHECK(w.is_symmetric());
  CHECK(w.is_doubly_stochastic());
}

TEST_CASE("a matrix is doubly stochastic without being symmetric", "[mixing]") {
  mixing_matrix const turn({0, 2, 4, 6}, {0, 1, 1, 2, 0, 2}, {0.5, 0.5, 0.5, 0.5, 0.5, 0.5});
  CHECK(turn.is_doubly_stochastic());
  CHECK_FALSE(turn.is_symmetric());

  mixing_matrix const negative({0, 2, 4}, {0, 1, 0, 1}, {1.5, -0.5, -0.5, 1.5});
  CHECK(negative.is_symmetric());
  CHECK_FALSE(negative.is_doubly_stochastic());
}

TEST_CASE("rows that break the promise are refused by number", "[mixing]") {
  using matrix = mixing_matrix;
  CHECK_THROWS_WITH(matrix({0, 1, 3}, {0, 0, 1}, {1.0, 0.5, 0.4}),
                    "mixing_matrix: row 1 sums to 0.9, must be 1");
  CHECK_THROWS_WITH(matrix({0, 1, 3}, {0, 1, 0}, {1.0, 0.5, 0.5}),
                    "mixing_matrix: row 1 has columns that do not ascend or are out of range");
  CHECK_THROWS_WITH(matrix({0, 1, 2}, {0, 2}, {1.0, 1.0}),
                    "mixing_matrix: row 1 has columns that do not ascend or are out of range");
  CHECK_THROWS_WITH(matrix({0, 1, 2}, {0, 0}, {1.0, 1.0}),
                    "mixing_matrix: row 1 has no diagonal entry");
  CHECK_THROWS_WITH(matrix({0, 2, 4}, {0, 1, 0, 1}, {-0.5, 1.5, 0.5, 0.5}),
                    "mixing_matrix: row 0 has a negative diagonal");
  CHECK_THROWS_WITH(matrix({0, 1}, {0}, {0.0 / 0.0}),
                    "mixing_matrix: row 0 has a negative diagonal");
  CHECK_THROWS_WITH(matrix({0, 2}, {0}, {1.0}),
                    "mixing_matrix: offsets, columns and values do not match");
  CHECK_THROWS_WITH(matrix({}, {}, {}), "mixing_matrix: offsets, columns and values do not match");
}

TEST_CASE("a weight of one's own is negative only where it is asked for", "[mixing]") {
  using gossip::own_weight;
  mixing_matrix const w({0, 2, 4}, {0, 1, 0, 1}, {-0.5, 1.5, 1.5, -0.5}, gossip::stochastic::rows,
                        own_weight::any);
  CHECK(w.own() == own_weight::any);
  CHECK(w.at(0, 0) == -0.5);
  CHECK_THROWS_WITH(
      mixing_matrix({0, 1}, {0}, {0.0 / 0.0}, gossip::stochastic::rows, own_weight::any),
      "mixing_matrix: row 0 has a negative diagonal");
  auto const in_float = gossip::cast_weights<float>(w);
  CHECK(in_float == std::vector<float>{-0.5F, 1.5F, 1.5F, -0.5F});
}

TEST_CASE("a compensated sum keeps what rounding would lose", "[mixing]") {
  gossip::detail::compensated_sum sum;
  for (double const x : {1.0, 1e100, 1.0, -1e100}) sum.add(x);
  CHECK(sum.value() == 2.0);
}

TEST_CASE("a matrix of shares that are sent has columns that sum to 1", "[mixing]") {
  // Node 0 keeps half and sends half to 1, which keeps all.
  gossip::mixing_matrix const p({0, 1, 3}, {0, 0, 1}, {0.5, 0.5, 1.0}, gossip::stochastic::columns);
  CHECK(p.at(1, 0) == 0.5);
  CHECK_FALSE(p.is_doubly_stochastic());
  CHECK_THROWS_WITH(
      gossip::mixing_matrix({0, 1, 3}, {0, 0, 1}, {0.5, 0.25, 1.0}, gossip::stochastic::columns),
      gossip::test::contains("column 0 sums to 0.75, must be 1"));
}
