// An exchange whose messages are factors of a model's matrices; for tests of engines.
#pragma once

#include <gossip/graph/graph.hpp>
#include <gossip/mixing/matrix.hpp>
#include <gossip/mixing/metropolis_hastings.hpp>
#include <gossip/op/team_product.hpp>
#include <gossip/op/whole_row.hpp>
#include <gossip/plan/exchange.hpp>
#include <gossip/plan/exchange_properties.hpp>
#include <gossip/plan/row_name.hpp>

#include <cmath>
#include <cstddef>
#include <cstdint>

namespace gossip::test {

/// Whether two factors of a tensor take less than the tensor; then both fit in its columns.
constexpr bool has_factors(row_tensor const &one, std::size_t rank) {
  return rank * (one.rows + one.columns) < one.size();
}

/// The same numbers in (-1, 1) on every node, as first factors.
struct first_factors {
  static constexpr std::size_t rows = 1, coefficients = 0;
  static constexpr std::uint32_t reads = 0, writes = 0b1;

  template <class T, class Team>
  constexpr void operator()(Team const &team, std::size_t columns, double const *,
                            T *const *x) const {
    T *const to = x[0];
    team.each(columns, [=](std::size_t i) {
      auto const mixed = static_cast<std::uint32_t>((i + 1) * 2654435761U) >> 8;
      to[i] = static_cast<T>(static_cast<double>(mixed) / 8388608.0 - 1.0);
    });
  }
};

// quote factors
/// x_0 <- Q X^T of every matrix X (m,n) of x_1, with factors Q (c_0,n) of x_2; x_1 elsewhere.
struct left_factors {
  static constexpr std::size_t rows = 3, coefficients = 1;
  static constexpr std::uint32_t reads = 0b110, writes = 0b001;

  template <class T, class Team>
  constexpr void operator()(Team const &team, row_tensors const &tensors, double const *c,
                            T *const *x) const {
    auto const rank = static_cast<std::size_t>(c[0]);
    for (row_tensor const &one : tensors) {
      T *const to = x[0] + one.first, *const from = x[1] + one.first, *const q = x[2] + one.first;
      bool const factors = has_factors(one, rank);
      team.each(one.size(), [=](std::size_t i) { to[i] = factors ? T{0} : from[i]; });
      if (factors)
        op::product_with_transposed(team, {q, rank, one.columns}, op::matrix_of(one, x[1]),
                                    op::matrix_view<T>{to, rank, one.rows});
    }
  }
};
// end quote

/// x_1 <- factors P (c_0,m) of x_3 with orthonormal rows, x_0 <- P X of every matrix X (m,n) of
/// x_2; x_1 <- x_3, x_0 <- 0 elsewhere.
struct right_factors {
  static constexpr std::size_t rows = 4, coefficients = 1;
  static constexpr std::uint32_t reads = 0b1100, writes = 0b0011;

  template <class T, class Team>
  constexpr void operator()(Team const &team, row_tensors const &tensors, double const *c,
                            T *const *x) const {
    auto const rank = static_cast<std::size_t>(c[0]);
    for (row_tensor const &one : tensors) {
      T *const to = x[0] + one.first, *const p = x[1] + one.first;
      T const *const given = x[3] + one.first;
      team.each(one.size(), [=](std::size_t i) { to[i] = T{0}, p[i] = given[i]; });
      if (!has_factors(one, rank)) continue;
      for (std::size_t k = 0; k < rank; ++k) make_orthonormal(team, p, k, one.rows, to);
      op::product(team, {p, rank, one.rows}, op::matrix_of(one, x[2]),
                  op::matrix_view<T>{to, rank, one.columns});
    }
  }

 private:
  /// Row k of p (k,m) after those before it, by Gram and Schmidt; `sum` holds one number.
  template <class T, class Team>
  static constexpr void make_orthonormal(Team const &team, T *p, std::size_t k, std::size_t m,
                                         T *sum) {
    T *const own = p + k * m;
    auto const dot = [=](T const *with) {
      team.each(1, [=](std::size_t) {
        sum[0] = op::lane_sum<T>(m, [=](std::size_t i) { return own[i] * with[i]; });
      });
      return sum;
    };
    for (std::size_t before = 0; before < k; ++before) {
      T const *const other = p + before * m, *const part = dot(other);
      team.each(m, [=](std::size_t i) { own[i] -= *part * other[i]; });
    }
    T const *const square = dot(own);
    team.each(m, [=](std::size_t i) {
      own[i] = *square > T{0} ? own[i] / static_cast<T>(std::sqrt(*square)) : T{0};
    });
  }
};

/// x_0 += c_1 P^T Q with factors P (c_0,m) of x_2 and Q (c_0,n) of x_3; += c_1 x_2 elsewhere. x_1
/// is scratch.
struct add_factors {
  static constexpr std::size_t rows = 4, coefficients = 2;
  static constexpr std::uint32_t reads = 0b1101, writes = 0b0011;

  template <class T, class Team>
  constexpr void operator()(Team const &team, row_tensors const &tensors, double const *c,
                            T *const *x) const {
    auto const rank = static_cast<std::size_t>(c[0]);
    T const factor = static_cast<T>(c[1]);
    for (row_tensor const &one : tensors) {
      T *const to = x[0] + one.first, *const moved = x[1] + one.first;
      T *const p = x[2] + one.first, *const q = x[3] + one.first;
      if (has_factors(one, rank))
        op::product_of_transposed(team, {p, rank, one.rows}, {q, rank, one.columns},
                                  op::matrix_of(one, x[1]));
      else
        team.each(one.size(), [=](std::size_t i) { moved[i] = p[i]; });
      team.each(one.size(), [=](std::size_t i) { to[i] += factor * moved[i]; });
    }
  }
};

/// PowerGossip: T. Vogels, S. Karimireddy, M. Jaggi, "Practical low-rank communication compression
/// in decentralized deep learning", NeurIPS 2020, algorithm 1 after a step. Neighbours know the
/// difference D = X_i - X_j of every matrix by one power iteration a round: P = D Q^T, made
/// orthonormal, then Q = P^T D, and x_i <- x_i - share w_ij P Q. What is not worth factors is
/// sent whole. Messages count as whole rows.
struct power_gossip {
  std::size_t rank = 1;
  double share = 1.0;

  static constexpr std::size_t rows = 2, edge_rows = 2;
  using whole_rows = whole_row_functions<first_factors, left_factors, right_factors, add_factors>;
  struct message_state {
    bool right = false;  ///< factors Q, not P
  };

  void on_round(auto &plan, round_number k) const {
    plan.train_all();
    plan.step_all();
    auto const each_edge = [&](auto f) {
      for (node i = 0; i < plan.nodes(); ++i)
        for (node const j : plan.topology().neighbors(i)) f(i, j);
    };
    double const width = static_cast<double>(rank);
    if (k == 0)
      each_edge([&](node i, node j) {
        plan.template apply<first_factors>(i, {work});
        plan.assign(plan.edge(i, j, q), {{1, work}});
      });
    each_edge([&](node i, node j) {
      plan.template apply<left_factors>(i, {work, model_row}, plan.edge(i, j, q), {width});
      plan.assign(plan.edge(i, j, p), {{1, work}});
      plan.send(i, j, {{1, work}}, {}, {false});
    });
    plan.deliver();
    each_edge([&](node i, node j) {
      plan.template apply<right_factors>(i, {work, orthonormal, model_row}, plan.edge(i, j, p),
                                         {width});
      plan.assign(plan.edge(i, j, p), {{1, orthonormal}});
      plan.assign(plan.edge(i, j, q), {{1, work}});
      plan.send(i, j, {{1, work}}, {}, {true});
    });
    plan.deliver();
    each_edge([&](node i, node j) {
      double const towards = (i < j ? -1 : 1) * share * plan.weights(k).at(i, j);
      plan.assign(i, orthonormal, {}, {{1, plan.edge(i, j, p)}});
      plan.template apply<add_factors>(i, {model_row, work, orthonormal}, plan.edge(i, j, q),
                                       {width, towards});
    });
  }

  /// Both ends subtract the higher node's from the lower node's.
  void on_message(auto &plan, node i, auto const &m) const {
    edge_row const own = plan.edge(i, m.from, m.state.right ? q : p);
    double const sign = i < m.from ? 1 : -1;
    plan.assign(own, {}, {{sign, own}, {-sign, m}});
  }

  static constexpr exchange_properties properties() { return {.gradient_waits = false}; }
  mixing_matrix weights(graph const &g) const { return metropolis_hastings{}.weights(g); }

 private:
  static constexpr std::size_t q = 0, p = 1;
  static constexpr row_name work = exchange_row(0), orthonormal = exchange_row(1);
};

}  // namespace gossip::test
