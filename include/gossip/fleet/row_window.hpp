// The parameters of all nodes here, some rows or columns at a time: whoever goes through them in
// windows needs no copy of all, wherever they lie.
#pragma once

#include <cstddef>

#include <gossip/core/view.hpp>

namespace gossip {

/// Columns where a row may be cut are multiples of this.
inline constexpr std::size_t window_columns = 512;

/// Columns first to last of some nodes.
template <class T>
struct row_window {
  std::size_t begin;          ///< of the nodes whose rows are here, in ascending order, the first
  std::size_t first, last;    ///< columns
  rows_view<T const> values;  ///< (nodes, last - first) in host memory
};

namespace detail {

/// Looks at nothing; a concept with a lambda in its place is false for nvcc.
struct any_visitor {
  template <class Window>
  void operator()(Window const &) const {}
};

}  // namespace detail

/// Rows that are seen in several windows.
template <class Rows>
concept seen_in_windows = requires(Rows const &rows) {
  rows.each_window(std::size_t{}, std::size_t{}, detail::any_visitor{});
};

/// f(row_window), one after another, for columns first to last of the parameters of all nodes here:
/// nodes ascending, and of a node columns ascending. A window that cuts rows has one. A shared
/// row is seen once.
template <class Rows, class F>
void each_window(Rows const &rows, std::size_t first, std::size_t last, F f) {
  if constexpr (seen_in_windows<Rows>) {
    rows.each_window(first, last, f);
  } else {
    using T = typename Rows::element;
    auto const all = rows.slot(0);
    if (all.rows == 0 || first == last) return;
    f(row_window<T>{0, first, last, {all.data + first, all.rows, last - first, all.stride}});
  }
}

}  // namespace gossip
