// The mean of all nodes' parameters, with a sum that does not depend on the order of the nodes.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include <gossip/core/node.hpp>
#include <gossip/fleet/fleet.hpp>

namespace gossip {

namespace detail {

/// Columns that share one grid; fixed, since the grid is part of the result.
inline constexpr std::size_t grid_columns = 512;

/// mean[c - first] for columns first to last: every addend is cut to a multiple of 2^-s with
/// max |x| 2^s < 2^(62 - ceil(log2 n)), and the multiples are added as integers. Not a number where
/// an addend is not finite.
template <class Row, template <class> class Buffer, class T>
void mean_panel(fleet<Row, Buffer> const &rows, std::size_t first, std::size_t last, T *mean) {
  std::size_t const n = rows.size().nodes;
  double largest = 0;
  bool finite = true;
  for (node i = 0; i < n; ++i)
    for (std::size_t c = first; c < last; ++c) {
      double const size = std::abs(static_cast<double>(rows.parameters(i)[c]));
      finite &= std::isfinite(size);
      largest = std::max(largest, size);
    }
  if (!finite) return void(std::fill_n(mean, last - first, std::numeric_limits<T>::quiet_NaN()));
  int exponent = 0, bits = 0;
  std::frexp(largest, &exponent);  // largest < 2^exponent
  std::frexp(static_cast<double>(n), &bits);
  double const grid = std::ldexp(1.0, std::min(62 - bits - exponent, 1023));
  std::int64_t sums[grid_columns] = {};
  for (node i = 0; i < n; ++i) {
    Row const *const x = rows.parameters(i) + first;
    for (std::size_t c = 0; c < last - first; ++c)
      sums[c] += static_cast<std::int64_t>(static_cast<double>(x[c]) * grid);
  }
  for (std::size_t c = 0; c < last - first; ++c)
    mean[c] = static_cast<T>(static_cast<double>(sums[c]) / static_cast<double>(n) / grid);
}

}  // namespace detail

/// mean (d) of the parameters over all nodes.
template <class Row, template <class> class Buffer, class Backend, class T>
void network_mean(fleet<Row, Buffer> const &rows, Backend const &backend, T *mean) {
  std::size_t const d = rows.size().parameters;
  if (rows.size().shared) {
    std::transform(rows.parameters(0), rows.parameters(0) + d, mean,
                   [](Row x) { return static_cast<T>(x); });
    return;
  }
  std::size_t const panels = (d + detail::grid_columns - 1) / detail::grid_columns;
  backend.for_each(panels, [&](std::size_t, std::size_t p) {
    std::size_t const first = p * detail::grid_columns;
    detail::mean_panel(rows, first, std::min(first + detail::grid_columns, d), mean + first);
  });
}

/// (1/n) sum_i |x_i - mean|^2, columns and then nodes in ascending order, in double.
template <class Row, template <class> class Buffer, class Backend, class T>
double mean_squared_distance(fleet<Row, Buffer> const &rows, Backend const &backend,
                             T const *mean) {
  std::vector<double> distances(rows.size().nodes);
  backend.for_each(distances.size(), [&](std::size_t, std::size_t i) {
    Row const *const x = rows.parameters(static_cast<node>(i));
    constexpr std::size_t lanes = 16;
    double partial[lanes] = {};
    for (std::size_t c = 0; c < rows.size().parameters; ++c) {
      double const away = static_cast<double>(x[c]) - static_cast<double>(mean[c]);
      partial[c % lanes] += away * away;
    }
    for (double const p : partial) distances[i] += p;
  });
  double sum = 0;
  for (double const distance : distances) sum += distance;
  return sum / static_cast<double>(distances.size());
}

}  // namespace gossip
