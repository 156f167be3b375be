// PowerGossip: the laws, and what it comes to in cases that are known.
#include <gossip/exchange/power_gossip.hpp>

#include <gossip/exchange/d_psgd.hpp>
#include <gossip/topology/ring.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "laws.hpp"
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

watched_run run(std::vector<std::vector<double>> const &begin, power_gossip<> const &exchange,
                some_topology const &topology, std::uint64_t count) {
  small_network network{topology, matrix_and_vector{begin}, sgd{.rate = 1.0}, exchange};
  return watched(network, {.stop = rounds{count}}, at_the_end);
}
std::vector<std::vector<double>> after(std::vector<std::vector<double>> const &begin,
                                       power_gossip<> const &exchange,
                                       some_topology const &topology, std::uint64_t count) {
  return run(begin, exchange, topology, count).seen.back().rows;
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
  std::size_t rank, steps;
  double weight;
  std::vector<matrix> p = {}, q = {};  // (m,rank) and (n,rank) of each edge
  std::size_t halves = 0;

  void begin() {
    matrix first(n, std::vector<double>(rank));
    for (std::size_t j = 0; j < n; ++j)
      for (std::size_t k = 0; k < rank; ++k) first[j][k] = op::first_factor<double>(k * n + j);
    p.resize(edges.size());
    q.assign(edges.size(), first);
  }
  void round() {
    auto next = x;
    for (std::size_t e = 0; e < edges.size(); ++e) {
      auto const &a = x[edges[e].from], &b = x[edges[e].to];
      matrix apart(m, std::vector<double>(n));
      for (std::size_t c = 0; c < m * n; ++c) apart[c / n][c % n] = a[c] - b[c];
      for (std::size_t s = 0; s < steps; ++s)
        if ((halves + s) % 2 == 0) {
          orthonormal_columns(q[e]);
          p[e] = product(apart, q[e]);
        } else {
          orthonormal_columns(p[e]);
          q[e] = product(transposed(apart), p[e]);
        }
      matrix const known = product(p[e], transposed(q[e]));
      for (std::size_t c = 0; c < a.size(); ++c) {
        double const moved = weight * (c < m * n ? known[c / n][c % n] : a[c] - b[c]);
        next[edges[e].from][c] -= moved;
        next[edges[e].to][c] += moved;
      }
    }
    halves += steps;
    x = next;
  }
};

}  // namespace

// X_0 - X_1 has rank 1, so a whole power iteration knows it, whatever it begins with.
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
  for (auto const &row : after(begin, {.rank = 1, .steps = 2}, path{2}, 1))
    for (std::size_t c = 0; c < mean.size(); ++c) CHECK(row[c] == Approx(mean[c]).margin(1e-12));
}

TEST_CASE("PowerGossip is its algorithm in plain loops", "[exchange]") {
  std::vector<std::vector<double>> begin(4);
  for (node i = 0; i < 4; ++i)
    for (std::size_t c = 0; c < matrix_and_vector::parameters; ++c)
      begin[i].push_back(keyed_random(8, purpose::user, i, c).normal());
  for (std::uint32_t const rank : {1, 2})
    for (std::uint32_t const steps : {1, 2, 3}) {
      by_differences loops{begin, {{0, 1}, {1, 2}, {2, 3}, {0, 3}}, rank, steps, 0.75 / 3};
      loops.begin();
      for (std::uint64_t count = 1; count <= 4; ++count) {
        loops.round();
        CAPTURE(rank, steps, count);
        auto const rows =
            after(begin, {.rank = rank, .steps = steps, .share = 0.75}, ring{4}, count);
        for (node i = 0; i < 4; ++i)
          for (std::size_t c = 0; c < rows[i].size(); ++c)
            CHECK(rows[i][c] == Approx(loops.x[i][c]).margin(1e-10));
      }
    }
}

// A matrix of 5 x 4 is worth factors of rank 1 and 2; the vector of 3 goes once a round.
TEST_CASE("PowerGossip sends left and right factors by turns", "[exchange]") {
  std::vector<std::vector<double>> const begin(4,
                                               std::vector<double>(m * n + numbers_of_vector, 1));
  auto const numbers = [&](power_gossip<> const &exchange, std::uint64_t count) {
    return run(begin, exchange, ring{4}, count).report.bytes_sent / (8 * 8);  // of 8 edges
  };
  CHECK(numbers({.rank = 1}, 1) == 5 + 3);
  CHECK(numbers({.rank = 1}, 2) == 5 + 3 + 4 + 3);
  CHECK(numbers({.rank = 2}, 2) == 10 + 3 + 8 + 3);
  CHECK(numbers({.rank = 1, .steps = 2}, 1) == 5 + 4 + 3);
  CHECK(numbers({.rank = 3}, 1) == m * n + 3);  // 3 (5 + 4) is no less than 20
}

TEST_CASE("PowerGossip with vectors alone is d-psgd that adapts, then combines", "[exchange]") {
  auto const rows = [](auto const &exchange) {
    small_network network{ring{9}, scattered<6>{}, sgd{.rate = 0.5}, exchange};
    return watched(network, {.seed = 5, .stop = rounds{12}}, at_the_end);
  };
  auto const factors = rows(power_gossip{}),
             plain = rows(d_psgd{.order = mixing_order::adapt_then_combine});
  CHECK(factors.report.bytes_sent == plain.report.bytes_sent);
  for (std::size_t i = 0; i < 9; ++i)
    for (std::size_t c = 0; c < 6; ++c)
      CHECK(factors.seen.back().rows[i][c] == Approx(plain.seen.back().rows[i][c]).margin(1e-14));
}

// Equal models have no difference; factors that are then 0 must not stay so.
TEST_CASE("factors of nothing become orthonormal all the same", "[exchange]") {
  row_tensor const shape(0, {m, n});
  std::vector<double> to(m * n), own(m * n, 7), from(m * n, 0.5), given(m * n, 0);
  for (std::size_t k = 0; k < n; ++k) given[k] = k == 2 ? 3 : 0;  // the first of two rows
  double *const x[]{to.data(), own.data(), from.data(), given.data()};
  double const c[]{2, 0, 1};
  op::multiply_factors{}(op::one_thread{}, row_tensors(std::span(&shape, 1)), c, x);
  auto const dot = [&](std::size_t a, std::size_t b) {
    double sum = 0;
    for (std::size_t k = 0; k < n; ++k) sum += own[a * n + k] * own[b * n + k];
    return sum;
  };
  CHECK(dot(0, 0) == Approx(1));
  CHECK(dot(1, 1) == Approx(1));
  CHECK(std::abs(dot(0, 1)) < 1e-15);
  CHECK(own[2] == 1);
}

TEST_CASE("PowerGossip refuses what it cannot do", "[exchange]") {
  auto const g = ring{4}.build();
  CHECK_NOTHROW(power_gossip{}.check(g));
  CHECK_THROWS_WITH(check_on(power_gossip{.rank = 0}, g),
                    "power_gossip: rank: expected a whole number of at least 1, got 0");
  CHECK_THROWS_WITH(check_on(power_gossip{.steps = 0}, g),
                    "power_gossip: steps: expected a whole number of at least 1, got 0");
  CHECK_THROWS_WITH(check_on(power_gossip{.share = 0}, g),
                    contains("power_gossip: share: expected a number above 0 and at most 1"));
}

}  // namespace gossip::test::low_rank
