// The parameters of all nodes here, some rows or columns at a time: what goes through them in
// windows needs no copy of all, wherever they lie.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

#include <gossip/core/node.hpp>
#include <gossip/core/view.hpp>
#include <gossip/fleet/fleet.hpp>
#include <gossip/fleet/lease_parts.hpp>
#include <gossip/fleet/used_slots.hpp>

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

/// f(leased rows, owners, nodes before these) for the parameters of every node here, ascending.
template <class Rows, class F>
void each_rows_of_nodes(Rows const &rows, F f) {
  std::vector<node> const owners = owners_of_models(rows);
  each_owners_part(rows, used_slots{1}, std::span(owners).first(rows.size().rows()), f);
}

/// f(row_window) for columns of whole rows, copied side by side: windows of about this size.
inline constexpr std::size_t copied_bytes = std::size_t{16} << 20;
template <class Rows, class F>
void each_copied_window(Rows const &rows, std::size_t first, std::size_t last, F f) {
  using T = typename Rows::element;
  std::size_t const columns = last - first;
  if (columns == 0) return;
  std::size_t const most = std::max<std::size_t>(1, copied_bytes / (columns * sizeof(T)));
  std::vector<T> numbers;
  each_rows_of_nodes(rows, [&](auto const &here, auto owners, std::size_t done) {
    for (std::size_t begin = 0; begin < owners.size(); begin += most) {
      std::size_t const count = std::min(most, owners.size() - begin);
      numbers.resize(count * columns);
      for (std::size_t k = 0; k < count; ++k)
        std::copy_n(here.row(0, owners[begin + k], first), columns, numbers.data() + k * columns);
      f(row_window<T>{done + begin, first, last, {numbers.data(), count, columns, columns}});
    }
  });
}

}  // namespace detail

/// Rows that are seen in several windows.
template <class Rows>
concept seen_in_windows = requires(Rows const &rows) {
  rows.each_window(std::size_t{}, std::size_t{}, detail::any_visitor{});
};

/// Whether each_window gives some nodes at a time, whose rows need not be cut, and not some columns
/// of all nodes.
template <class Rows>
bool come_by_nodes(Rows const &rows) {
  if constexpr (seen_in_windows<Rows>)
    return true;
  else
    return rows.prefers_owners();
}

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
    if (rows.prefers_owners()) return detail::each_copied_window(rows, first, last, f);
    each_part(rows, used_slots{1}, first, last,
              [&](auto const &here, std::size_t begin, std::size_t end) {
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
    detail::each_rows_of_nodes(rows, [&](auto const &here, auto owners, std::size_t done) {
      for (std::size_t k = 0; k < owners.size(); ++k)
        f(done + k, std::span<T const>(here.row(0, owners[k]), d));
    });
  }
}

}  // namespace gossip
