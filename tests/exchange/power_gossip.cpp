// PowerGossip: the laws, and what it comes to in cases that are known.
#include <gossip/topology/ring.hpp>

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "conformance.hpp"
#include "networks.hpp"

namespace gossip::test::low_rank {

TEST_CASE("PowerGossip keeps the laws of exchanges", "[exchange]") {
  check_exchange(power_gossip{.rank = 2}, {.slack = 1e-9});
}

namespace {

constexpr std::size_t m = 5, n = 4, numbers_of_vector = 3;

/// A matrix (m,n) and a vector that begin where they are told and then stay.
struct matrix_and_vector {
  std::vector<std::vector<double>> begin;

  static constexpr std::size_t parameters = m * n + numbers_of_vector;
  static constexpr std::array<row_tensor, 2> tensors{row_tensor(0, {m, n}),
                                                     row_tensor(m *n, {numbers_of_vector, 1})};
  static constexpr bool learns_from_samples = false;
  static constexpr double training_flops = 1, evaluation_flops = 1;

  template <class T>
  static constexpr std::size_t workspace_bytes(std::size_t) {
    return 0;
  }
  template <class T>
  void initialise(std::span<T> row, std::uint64_t) const {
    for (T &x : row) x = T{0};
  }
  template <class Worker, class T, class Source>
  void gradient(Worker &, training_task<T, Source> const &task) const {
    for (std::size_t j = 0; j < task.k; ++j) {
      for (std::size_t c = 0; c < parameters; ++c)
        task.gradient.at(j)[c] = static_cast<T>(task.steps[j] > 0 ? 0.0 : -begin[task.nodes[j]][c]);
      *task.loss.at(j) = 1.0;
    }
  }
};

std::vector<std::vector<double>> after(std::vector<std::vector<double>> const &begin,
                                       power_gossip const &exchange, some_topology const &topology,
                                       std::uint64_t count) {
  small_network network{topology, matrix_and_vector{begin}, sgd{.rate = 1.0},
                        exchange, numbers<double>{},        openmp{.threads = 1}};
  return watched(network, {.stop = rounds{count}}, at_the_end).seen.back().rows;
}

using matrix = std::vector<std::vector<double>>;

matrix product(matrix const &a, matrix const &b) {
  matrix c(a.size(), std::vector<double>(b[0].size()));
  for (std::size_t i = 0; i < a.size(); ++i)
    for (std::size_t k = 0; k < b.size(); ++k)
      for (std::size_t j = 0; j < b[0].size(); ++j) c[i][j] += a[i][k] * b[k][j];
  return c;
}
matrix transposed(matrix const &a) {
  matrix c(a[0].size(), std::vector<double>(a.size()));
  for (std::size_t i = 0; i < a.size(); ++i)
    for (std::size_t j = 0; j < a[0].size(); ++j) c[j][i] = a[i][j];
  return c;
}

/// Columns of p, orthonormal.
void orthonormal_columns(matrix &p) {
  for (std::size_t k = 0; k < p[0].size(); ++k) {
    for (std::size_t before = 0; before <= k; ++before) {
      double sum = 0;
      for (auto const &row : p) sum += row[k] * row[before];
      for (auto &row : p)
        if (before < k)
          row[k] -= sum * row[before];
        else
          row[k] /= std::sqrt(sum);
    }
  }
}

/// Algorithm 1 on differences of whole models, which no node of a network has.
struct by_differences {
  std::vector<std::vector<double>> x;
  std::vector<edge> edges;
  std::size_t rank;
  double weight;
  std::vector<matrix> q = {};  // (n,rank) of each edge

  void begin() {
    matrix first(n, std::vector<double>(rank));
    for (std::size_t j = 0; j < n; ++j)
      for (std::size_t k = 0; k < rank; ++k) {
        auto const number = static_cast<std::uint32_t>((k * n + j + 1) * 2654435761U) >> 8;
        first[j][k] = number / 8388608.0 - 1.0;
      }
    q.assign(edges.size(), first);
  }
  void round() {
    auto next = x;
    for (std::size_t e = 0; e < edges.size(); ++e) {
      auto const &a = x[edges[e].from], &b = x[edges[e].to];
      matrix apart(m, std::vector<double>(n));
      for (std::size_t c = 0; c < m * n; ++c) apart[c / n][c % n] = a[c] - b[c];
      matrix p = product(apart, q[e]);
      orthonormal_columns(p);
      q[e] = product(transposed(apart), p);
      matrix const known = product(p, transposed(q[e]));
      for (std::size_t c = 0; c < a.size(); ++c) {
        double const moved = weight * (c < m * n ? known[c / n][c % n] : a[c] - b[c]);
        next[edges[e].from][c] -= moved;
        next[edges[e].to][c] += moved;
      }
    }
    x = next;
  }
};

}  // namespace

// X_0 - X_1 has rank 1, so one power iteration knows it, whatever it begins with.
TEST_CASE("a difference of rank 1 is known after one message each way", "[exchange]") {
  std::vector<std::vector<double>> begin(2);
  std::vector<double> mean;
  for (std::size_t c = 0; c < m * n; ++c) {
    double const row = 1.0 + static_cast<double>(c / n), column = 2.0 - static_cast<double>(c % n);
    begin[0].push_back(3 * row * column + static_cast<double>(c % 7));
    begin[1].push_back(-1 * row * column + static_cast<double>(c % 7));
    mean.push_back(row * column + static_cast<double>(c % 7));
  }
  for (double const x : {4.0, -2.0, 0.5}) {
    begin[0].push_back(x + 1);
    begin[1].push_back(x - 3);
    mean.push_back(x - 1);
  }
  for (auto const &row : after(begin, {.rank = 1}, path{2}, 1))
    for (std::size_t c = 0; c < mean.size(); ++c) CHECK(row[c] == Approx(mean[c]).margin(1e-12));
}

TEST_CASE("PowerGossip is its algorithm in plain loops", "[exchange]") {
  std::vector<std::vector<double>> begin(4);
  for (node i = 0; i < 4; ++i)
    for (std::size_t c = 0; c < matrix_and_vector::parameters; ++c)
      begin[i].push_back(keyed_random(8, purpose::user, i, c).normal());
  for (std::size_t const rank : {1, 2}) {
    by_differences loops{begin, {{0, 1}, {1, 2}, {2, 3}, {0, 3}}, rank, 0.75 / 3};
    loops.begin();
    for (std::uint64_t count = 1; count <= 4; ++count) {
      loops.round();
      CAPTURE(rank, count);
      auto const rows = after(begin, {.rank = rank, .share = 0.75}, ring{4}, count);
      for (node i = 0; i < 4; ++i)
        for (std::size_t c = 0; c < rows[i].size(); ++c)
          CHECK(rows[i][c] == Approx(loops.x[i][c]).margin(1e-10));
    }
  }
}

}  // namespace gossip::test::low_rank
