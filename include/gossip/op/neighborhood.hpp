// Functions of one column of a node's neighborhood: X <- W X with another function in the place of
// the weighted sum. All nodes are changed at once, by the values that all of them had before.
//
// A neighborhood function is an empty type with
//
//   template <class T> constexpr T operator()(neighbor_column<T> const &x) const;
//
// where x.value(k) are the numbers of the node and its neighbors in ascending order of the nodes,
// x.weight(k) their weights in the matrix, k < x.entries. It keeps no list of them, since a hub has
// many, and a device no room for lists; a second form may, for small neighborhoods on the host
// (takes_neighbors_side_by_side).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include <gossip/op/column_table.hpp>
#include <gossip/op/mix.hpp>
#include <gossip/op/neighbor_column.hpp>
#include <gossip/op/trimmed_mean.hpp>

namespace gossip {

namespace op {

/// sum_k w_k x_k: products are rounded, then added in ascending order of the nodes.
struct weighted_sum {
  template <class T>
  constexpr T operator()(neighbor_column<T> const &x) const {
    return combine_column<T>({x.columns, x.weights, x.entries}, x.from, x.stride);
  }
};
static_assert(neighborhood_function<weighted_sum>);

}  // namespace op

/// A list of neighborhood functions; the number of a function is its place in the list.
template <neighborhood_function... Functions>
struct neighborhood_functions {
  static constexpr std::size_t size = sizeof...(Functions);

  template <class F>
  static constexpr bool holds = (std::is_same_v<F, Functions> || ...);

  template <class F>
  static constexpr std::uint16_t number_of = detail::place_in<F, Functions...>();

  template <class T>
  static constexpr T call(std::uint16_t number, neighbor_column<T> const &x) {
    T result{};
    std::uint16_t next = 0;
    ((number == next++ ? (result = Functions{}(x), true) : false) || ...);
    return result;
  }
};

/// Number 0 is X <- W X, for which every backend has a way of its own.
using library_neighborhoods =
    neighborhood_functions<op::weighted_sum, op::coordinate_median, op::trimmed_mean<1>,
                           op::trimmed_mean<2>, op::trimmed_mean<3>, op::trimmed_mean<4>>;

/// A neighborhood function for rows of T, behind plain pointers.
template <class T>
struct neighborhood_kernel {
  /// to (width) = the function of columns of `from`.
  void (*tile)(op::mixing_row<T> const &row, T const *from, std::size_t stride, T *to,
               std::size_t width) = nullptr;
  T (*one)(op::mixing_row<T> const &row, T const *from, std::size_t stride) = nullptr;
};

namespace detail {

template <class F, class T>
T on_neighbors(op::mixing_row<T> const &row, T const *from, std::size_t stride) {
  return F{}(neighbor_column<T>{row.columns, row.values, row.entries, from, stride});
}
template <class F, class T>
void on_neighbor_tile(op::mixing_row<T> const &row, T const *from, std::size_t stride, T *to,
                      std::size_t width) {
  std::size_t c = 0;
  if constexpr (takes_neighbors_side_by_side<F>) {
    constexpr std::size_t lanes = 32;  // shorter loops are unrolled, which costs their vectors
    for (; row.entries <= F::most_entries && c + lanes <= width; c += lanes)
      F::template side_by_side<lanes>(
          neighbor_column<T>{row.columns, row.values, row.entries, from + c, stride}, to + c);
  }
  for (; c < width; ++c) to[c] = on_neighbors<F>(row, from + c, stride);
}

template <neighborhood_function F, class T>
inline constexpr neighborhood_kernel<T> neighborhood_kernel_of{&on_neighbor_tile<F, T>,
                                                               &on_neighbors<F, T>};

}  // namespace detail

namespace op {

/// Columns first to last of x (n,d) become a function of the neighborhoods in w; scratch and rows
/// beside as copy_tile has them.
template <class T>
void change_tile(neighborhood_kernel<T> const &function, mixing_rows<T> const &w, rows_view<T> x,
                 std::size_t first, std::size_t last, std::size_t columns_at_once, T *scratch,
                 rows_beside<T> beside = {}) {
  for (std::size_t end; first < last; first = end) {
    end = first + columns_at_once < last ? first + columns_at_once : last;
    copy_tile(x, beside, first, end, scratch);
    for (std::size_t i = 0; i < w.rows(); ++i)
      function.tile(w.row(i), scratch, tile_stride(end - first), x[i].data() + first, end - first);
  }
}

}  // namespace op

}  // namespace gossip
