// Factors of a row's matrices, for messages of low rank: T. Vogels, S. P. Karimireddy, M. Jaggi,
// "Practical low-rank communication compression in decentralized deep learning", NeurIPS 2020.
//
// A row of factors has the columns of a model. In the columns of a matrix (m,n) that is worth it,
// it begins with rank rows of m numbers (left factors) or of n (right factors); in those of other
// tensors it has numbers of the tensors themselves.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>

#include <gossip/core/random.hpp>
#include <gossip/op/row_tensors.hpp>
#include <gossip/op/team_product.hpp>
#include <gossip/op/whole_row.hpp>

namespace gossip::op {

/// Whether two factors of so many rows take less room than the tensor.
constexpr bool has_factors(row_tensor const &one, std::size_t rank) {
  return rank * (one.rows + one.columns) < one.size();
}

/// A number in [-1, 1) of a column: the same on all nodes.
template <class T>
constexpr T first_factor(std::size_t column) {
  std::uint32_t const bits = philox({static_cast<std::uint32_t>(column), 0, 0, 0}, {0, 0})[0] >> 8;
  return static_cast<T>(static_cast<double>(bits) / 8388608.0 - 1.0);
}

/// Factors that a power iteration may begin with: x_0 <- numbers of its columns.
struct first_factors {
  static constexpr std::size_t rows = 1, coefficients = 0;
  static constexpr std::uint32_t reads = 0, writes = 0b1;

  template <class T, class Team>
  constexpr void operator()(Team const &team, std::size_t columns, double const *,
                            T *const *x) const {
    T *const to = x[0];
    team.each(columns, [=](std::size_t i) { to[i] = first_factor<T>(i); });
  }
};
static_assert(whole_row_function<first_factors>);

/// Half a power iteration on every matrix X (m,n) of x_2, with factors of c_0 rows: x_1 <- those of
/// x_3, orthonormal, x_0 <- P X where they are left ones P, Q X^T where they are right ones Q.
/// c_1: 1 for left ones. Elsewhere x_1 <- 0, and x_0 <- c_2 x_2, where c_2 is 0 or 1.
struct multiply_factors {
  static constexpr std::size_t rows = 4, coefficients = 3;
  static constexpr std::uint32_t reads = 0b1100, writes = 0b0011;

  template <class T, class Team>
  constexpr void operator()(Team const &team, row_tensors const &tensors, double const *c,
                            T *const *x) const {
    auto const rank = static_cast<std::size_t>(c[0]);
    bool const left = c[1] != 0, others = c[2] != 0;
    for (row_tensor const &one : tensors) {
      T *const to = x[0] + one.first, *const own = x[1] + one.first;
      T const *const from = x[2] + one.first, *const given = x[3] + one.first;
      bool const factors = has_factors(one, rank);
      team.each(one.size(), [=](std::size_t i) {
        to[i] = factors || !others ? T{0} : from[i];
        own[i] = factors ? given[i] : T{0};
      });
      if (!factors) continue;
      std::size_t const length = left ? one.rows : one.columns;
      for (std::size_t k = 0; k < rank; ++k) make_orthonormal(team, own, k, length, to);
      matrix_view<T> const by{own, rank, length};
      if (left)
        product(team, by, matrix_of(one, x[2]), matrix_view<T>{to, rank, one.columns});
      else
        product_with_transposed(team, by, matrix_of(one, x[2]), matrix_view<T>{to, rank, one.rows});
    }
  }

 private:
  /// Row k of factors (k,length) after those before it, by Gram and Schmidt, twice; a row that is
  /// then 0 becomes first factors. `sum` holds one number.
  template <class T, class Team>
  static constexpr void make_orthonormal(Team const &team, T *factors, std::size_t k,
                                         std::size_t length, T *sum) {
    T *const own = factors + k * length;
    auto const dot = [=](T const *with) {
      team.each(1, [=](std::size_t) {
        sum[0] = lane_sum<T>(length, [=](std::size_t i) { return own[i] * with[i]; });
      });
      return sum;
    };
    for (int turn = 0; turn < 2; ++turn) {
      for (std::size_t before = 0; before < k; ++before) {
        T const *const other = factors + before * length, *const part = dot(other);
        team.each(length, [=](std::size_t i) { own[i] -= *part * other[i]; });
      }
      T const *const square = dot(own);
      team.each(length, [=](std::size_t i) {
        if (*square > T{0})
          own[i] /= static_cast<T>(std::sqrt(*square));
        else
          own[i] = turn > 0 ? T{0} : first_factor<T>(k * length + i);
      });
    }
  }
};
static_assert(whole_row_function<multiply_factors>);

// quote factors
/// x_0 += c_1 P^T Q with factors P (c_0,m) of x_2 and Q (c_0,n) of x_3; += c_1 (x_2 + x_3)
/// elsewhere. x_1 is scratch.
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
      T const *const p = x[2] + one.first, *const q = x[3] + one.first;
      if (has_factors(one, rank))
        product_of_transposed(team, {p, rank, one.rows}, {q, rank, one.columns},
                              matrix_of(one, x[1]));
      else
        team.each(one.size(), [=](std::size_t i) { moved[i] = p[i] + q[i]; });
      team.each(one.size(), [=](std::size_t i) { to[i] += factor * moved[i]; });
    }
  }
};
// end quote
static_assert(whole_row_function<add_factors>);

}  // namespace gossip::op
