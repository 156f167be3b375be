// What the rows of all nodes become by an averaging that has not been done: W X, for observers that
// look before it.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include <gossip/core/view.hpp>
#include <gossip/fleet/ranked_rows.hpp>
#include <gossip/fleet/row_window.hpp>
#include <gossip/mixing/matrix.hpp>

namespace gossip::detail {

/// Numbers of X that are looked at together, and as many of W X: 32 MB of double each.
inline constexpr std::size_t averaged_at_once = std::size_t{1} << 22;

/// f(begin, end, rows) for columns first to last of W X of n nodes, in double, each number summed
/// in ascending order of the nodes that its node listens to; rows (n, end - begin). Columns ascend
/// from call to call. All ranks at once, where there are several.
template <class Rows, class Backend, class F>
void each_averaged(Rows const &rows, Backend const &backend, mixing_matrix const &w,
                   std::size_t first, std::size_t last, F f) {
  std::size_t const n = w.rows();
  if (n == 0) return;
  std::size_t const most = std::max<std::size_t>(1, averaged_at_once / n);
  auto const held = held_nodes(rows);
  bool const shared = rows.size().shared;
  std::vector<double> x, averaged;
  for (std::size_t begin = first; begin < last; begin += most) {
    std::size_t const end = std::min(begin + most, last), columns = end - begin;
    x.assign(n * columns, 0.0);
    each_window(rows, begin, end, [&](auto const &part) {
      auto const put = [&](std::size_t i, std::size_t k) {
        std::copy_n(part.values[k].begin(), part.last - part.first,
                    &x[i * columns + part.first - begin]);
      };
      if (shared)
        for (std::size_t i = 0; i < n; ++i) put(i, 0);
      else
        for (std::size_t k = 0; k < part.values.rows; ++k) put(held[part.begin + k], k);
    });
    if (!shared) all_reduce_sum(rows, x);  // a rank that does not hold a node has zeros
    averaged.assign(n * columns, 0.0);
    backend.for_each(n, [&](std::size_t, std::size_t i) {
      double *const to = averaged.data() + i * columns;
      auto const [sources, weights] = w.row(i);
      for (std::size_t k = 0; k < sources.size(); ++k)
        for (std::size_t c = 0; c < columns; ++c) to[c] += weights[k] * x[sources[k] * columns + c];
    });
    f(begin, end, rows_view<double const>{averaged.data(), n, columns, columns});
  }
}

}  // namespace gossip::detail
