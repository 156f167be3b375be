// The parameters of all nodes here, some rows or columns at a time: what goes through them in
// windows needs no copy of all, wherever they lie.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include <gossip/core/node.hpp>
#include <gossip/core/view.hpp>
#include <gossip/fleet/fleet.hpp>

namespace gossip {

/// Columns where a row may be cut are multiples of this.
inline constexpr std::size_t window_columns = 512;
static_assert(lease_parts::unit % window_columns == 0);

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

/// f(row_window), one after another, for columns first to last of the parameters of all nodes here.
/// The columns of a node ascend from window to window; nodes ascend among the windows that end at
/// `last`. A window may cut the rows of many nodes. A shared row is seen once.
template <class Rows, class F>
void each_window(Rows const &rows, std::size_t first, std::size_t last, F f) {
  if constexpr (seen_in_windows<Rows>) {
    rows.each_window(first, last, f);
  } else {
    using T = typename Rows::element;
    if (rows.size().rows() == 0) return;
    each_part(rows, 1, first, last, [&](auto const &here, std::size_t begin, std::size_t end) {
      f(row_window<T>{0, begin, end, here.nodes(0, begin, end)});
    });
  }
}

/// f(k, row) for the parameters (d) of every node here, whole rows one after another; k: which of
/// the nodes here, ascending. A shared row is seen once.
template <class Rows, class F>
void each_row(Rows const &rows, F f) {
  using T = typename Rows::element;
  std::size_t const d = rows.size().parameters;
  if constexpr (seen_in_windows<Rows>) {
    rows.each_row(f);
  } else {
    std::vector<node> const owners = owners_of_models(rows);
    for (std::size_t k = 0; k < rows.size().rows(); ++k)
      f(k, std::span<T const>(rows.whole(1, owners[k]).row(0, owners[k]), d));
  }
}

}  // namespace gossip
