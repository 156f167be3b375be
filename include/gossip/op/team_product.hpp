// Products of small matrices by a team of op/whole_row.hpp, for functions of whole rows. Each
// number of a result is summed in one order, so that results have the same bits for any team, which
// a product of BLAS would not have.
//
//   product(team, a, b, c)                    c (m,n) = a (m,k) b (k,n)
//   product_of_transposed(team, a, b, c)      c (m,n) = a^T b, a (k,m), b (k,n)
//   product_with_transposed(team, a, b, c)    c (m,n) = a b^T, a (m,k), b (n,k)
//
// Terms are rounded, then added: of the first two in ascending order of k; of the third, whose
// terms lie side by side in both matrices, by lane_sum. c must not overlap a or b, and every thread
// of the team calls them.
#pragma once

#include <concepts>
#include <cstddef>
#include <type_traits>

#include <gossip/op/row_tensors.hpp>
#include <gossip/op/split_index.hpp>
#include <gossip/op/whole_row.hpp>

namespace gossip::op {

/// A matrix whose row i begins at data + i * columns.
template <class T>
struct matrix_view {
  T *data;
  std::size_t rows, columns;

  template <std::same_as<T const> U>
    requires(!std::is_const_v<T>)
  constexpr operator matrix_view<U>() const {
    return {data, rows, columns};
  }
};

/// The tensor's columns of a row.
template <class T>
constexpr matrix_view<T> matrix_of(row_tensor const &tensor, T *row) {
  return {row + tensor.first, tensor.rows, tensor.columns};
}

/// sum_i term(i): lane l of 16 adds terms l, l + 16, ... in ascending order; lanes are added in
/// halves, l and l + 8, then l and l + 4, and so on.
template <class T, class Term>
constexpr T lane_sum(std::size_t count, Term term) {
  constexpr std::size_t lanes = 16;
  T sums[lanes]{};
  std::size_t first = 0;
  for (; first + lanes <= count; first += lanes)
    for (std::size_t l = 0; l < lanes; ++l) sums[l] += term(first + l);
  for (std::size_t l = 0; first + l < count; ++l) sums[l] += term(first + l);
  for (std::size_t half = lanes / 2; half > 0; half /= 2)
    for (std::size_t l = 0; l < half; ++l) sums[l] += sums[l + half];
  return sums[0];
}

namespace detail {

/// Numbers of a result that one call for an index of a team computes: one thread takes as many as
/// fill its registers, a thread among others one.
template <class Team>
inline constexpr std::size_t tile_rows = 1;
template <>
inline constexpr std::size_t tile_rows<one_thread> = 4;
template <class Team>
inline constexpr std::size_t tile_columns = 1;
template <>
inline constexpr std::size_t tile_columns<one_thread> = 32;

/// c = sum_k f(k) b(k), where b and c are rows of `stride` numbers and the factor of step k and row
/// r lies at a[k * step + r * next].
template <class T>
struct sum_of_rows {
  T const *a;
  std::size_t step, next, terms;
  T const *b;
  T *c;
  std::size_t stride;

  /// Rows and columns of c from (row, column) on.
  template <std::size_t Rows, std::size_t Columns>
  constexpr void tile(std::size_t row, std::size_t column) const {
    T sums[Rows][Columns]{};
    for (std::size_t k = 0; k < terms; ++k)
      for (std::size_t r = 0; r < Rows; ++r) {
        T const factor = a[k * step + (row + r) * next];
        for (std::size_t j = 0; j < Columns; ++j) sums[r][j] += factor * b[k * stride + column + j];
      }
    for (std::size_t r = 0; r < Rows; ++r)
      for (std::size_t j = 0; j < Columns; ++j) c[(row + r) * stride + column + j] = sums[r][j];
  }

  /// Columns from `column` to `last`, in tiles that get narrower.
  template <std::size_t Rows, std::size_t Columns>
  constexpr void part(std::size_t row, std::size_t column, std::size_t last) const {
    for (; column + Columns <= last; column += Columns) tile<Rows, Columns>(row, column);
    if constexpr (Columns > 1) part<Rows, (Columns > 8 ? 8 : 1)>(row, column, last);
  }

  template <class Team>
  constexpr void run(Team const &team, std::size_t rows) const {
    constexpr std::size_t high = tile_rows<Team>, wide = tile_columns<Team>;
    std::size_t const across = (stride + wide - 1) / wide;
    team.each((rows + high - 1) / high * across, [=, sum = *this](std::size_t index) {
      auto const [down, right] = split_index(index, across);
      std::size_t const column = right * wide, rest = sum.stride - column;
      std::size_t const last = column + (rest < wide ? rest : wide);
      std::size_t row = down * high;
      if (row + high <= rows) return sum.template part<high, wide>(row, column, last);
      for (; row < rows; ++row) sum.template part<1, wide>(row, column, last);
    });
  }
};

}  // namespace detail

/// c (m,n) = a (m,k) b (k,n)
template <class Team, class T>
constexpr void product(Team const &team, matrix_view<std::type_identity_t<T const>> a,
                       matrix_view<std::type_identity_t<T const>> b, matrix_view<T> c) {
  detail::sum_of_rows<T>{a.data, 1, a.columns, a.columns, b.data, c.data, c.columns}.run(team,
                                                                                         c.rows);
}

/// c (m,n) = a^T b, a (k,m), b (k,n)
template <class Team, class T>
constexpr void product_of_transposed(Team const &team, matrix_view<std::type_identity_t<T const>> a,
                                     matrix_view<std::type_identity_t<T const>> b,
                                     matrix_view<T> c) {
  detail::sum_of_rows<T>{a.data, a.columns, 1, a.rows, b.data, c.data, c.columns}.run(team, c.rows);
}

/// c (m,n) = a b^T, a (m,k), b (n,k)
template <class Team, class T>
constexpr void product_with_transposed(Team const &team,
                                       matrix_view<std::type_identity_t<T const>> a,
                                       matrix_view<std::type_identity_t<T const>> b,
                                       matrix_view<T> c) {
  team.each(c.rows * c.columns, [=](std::size_t index) {
    auto const [row, column] = split_index(index, c.columns);
    T const *const left = a.data + row * a.columns, *const right = b.data + column * b.columns;
    c.data[index] = lane_sum<T>(a.columns, [=](std::size_t k) { return left[k] * right[k]; });
  });
}

}  // namespace gossip::op
