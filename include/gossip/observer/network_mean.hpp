// The mean of all nodes' parameters, with a sum that does not depend on the order of the nodes.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include <gossip/core/node.hpp>
#include <gossip/fleet/ranked_rows.hpp>

namespace gossip {

namespace detail {

/// Columns that share one grid; fixed, since the grid is part of the result.
inline constexpr std::size_t grid_columns = 512;

/// The largest |x| of columns first to last over the nodes whose rows are here; infinity where one
/// is not finite.
template <class Rows>
double largest_of_panel(Rows const &rows, std::size_t first, std::size_t last) {
  double largest = 0;
  bool finite = true;
  for (node const i : held_nodes(rows)) {
    auto const *const x = held_parameters(rows, i);
    for (std::size_t c = first; c < last; ++c) {
      double const size = std::abs(static_cast<double>(x[c]));
      finite &= std::isfinite(size);
      largest = std::max(largest, size);
    }
  }
  return finite ? largest : std::numeric_limits<double>::infinity();
}

/// Addends of n nodes are cut to multiples of one over this, 2^s with largest 2^s < 2^(62 -
/// ceil(log2 n)).
inline double grid_of(double largest, std::size_t n) {
  int exponent = 0, bits = 0;
  std::frexp(largest, &exponent);  // largest < 2^exponent
  std::frexp(static_cast<double>(n), &bits);
  return std::ldexp(1.0, std::min(62 - bits - exponent, 1023));
}

/// sums[c - first] += the multiples of columns first to last, over the nodes whose rows are here.
template <class Rows>
void add_panel(Rows const &rows, std::size_t first, std::size_t last, double grid,
               std::int64_t *sums) {
  for (node const i : held_nodes(rows)) {
    auto const *const x = held_parameters(rows, i) + first;
    for (std::size_t c = 0; c < last - first; ++c)
      sums[c] += static_cast<std::int64_t>(static_cast<double>(x[c]) * grid);
  }
}

/// mean[c] of so many columns from their sums; not a number where an addend was not finite.
template <class T>
void finish_panel(std::int64_t const *sums, std::size_t columns, double largest, std::size_t n,
                  T *mean) {
  if (!std::isfinite(largest))
    return void(std::fill_n(mean, columns, std::numeric_limits<T>::quiet_NaN()));
  double const grid = grid_of(largest, n);
  for (std::size_t c = 0; c < columns; ++c)
    mean[c] = static_cast<T>(static_cast<double>(sums[c]) / static_cast<double>(n) / grid);
}

/// mean[c - first] for columns first to last.
template <class T, class Rows>
void mean_panel(Rows const &rows, std::size_t first, std::size_t last, T *mean) {
  std::size_t const n = rows.size().nodes;
  double const largest = largest_of_panel(rows, first, last);
  std::int64_t sums[grid_columns] = {};
  if (std::isfinite(largest)) add_panel(rows, first, last, grid_of(largest, n), sums);
  finish_panel(sums, last - first, largest, n, mean);
}

/// The same where ranks hold the rows: their maxima give the grid, their sums are added as
/// integers, some thousand panels at a time.
template <class T, class Rows, class Backend>
void mean_over_ranks(Rows const &rows, Backend const &backend, T *mean) {
  constexpr std::size_t at_once = 4096;  // panels: 16 MB of sums
  std::size_t const d = rows.size().parameters, n = rows.size().nodes;
  std::size_t const panels = (d + grid_columns - 1) / grid_columns;
  auto const end = [&](std::size_t p) { return std::min((p + 1) * grid_columns, d); };
  std::vector<double> largest(panels);
  backend.for_each(panels, [&](std::size_t, std::size_t p) {
    largest[p] = largest_of_panel(rows, p * grid_columns, end(p));
  });
  rows.largest(std::span<double>(largest));
  std::vector<std::int64_t> sums;
  for (std::size_t begin = 0; begin < panels; begin += at_once) {
    std::size_t const count = std::min(at_once, panels - begin);
    sums.assign(count * grid_columns, 0);
    backend.for_each(count, [&](std::size_t, std::size_t k) {
      std::size_t const p = begin + k;
      if (std::isfinite(largest[p]))
        add_panel(rows, p * grid_columns, end(p), grid_of(largest[p], n),
                  sums.data() + k * grid_columns);
    });
    add_up(rows, sums);
    for (std::size_t k = 0; k < count; ++k) {
      std::size_t const first = (begin + k) * grid_columns;
      finish_panel(sums.data() + k * grid_columns, end(begin + k) - first, largest[begin + k], n,
                   mean + first);
    }
  }
}

}  // namespace detail

/// mean (d) of the parameters over all nodes.
template <class T, class Rows, class Backend>
void network_mean(Rows const &rows, Backend const &backend, T *mean) {
  std::size_t const d = rows.size().parameters;
  if (rows.size().shared) {
    auto const *const all = rows.parameters(0);
    for (std::size_t c = 0; c < d; ++c) mean[c] = static_cast<T>(all[c]);
    return;
  }
  if constexpr (spread_over_ranks<Rows>) return detail::mean_over_ranks(rows, backend, mean);
  std::size_t const panels = (d + detail::grid_columns - 1) / detail::grid_columns;
  backend.for_each(panels, [&](std::size_t, std::size_t p) {
    std::size_t const first = p * detail::grid_columns;
    detail::mean_panel(rows, first, std::min(first + detail::grid_columns, d), mean + first);
  });
}

/// (1/n) sum_i |x_i - mean|^2 over columns first to last, these and then nodes in ascending order,
/// in double.
template <class T, class Rows, class Backend>
double mean_squared_distance(Rows const &rows, Backend const &backend, T const *mean,
                             std::size_t first, std::size_t last) {
  std::vector<double> distances(rows.size().nodes, 0.0);
  auto const held = held_nodes(rows);
  backend.for_each(held.size(), [&](std::size_t, std::size_t k) {
    node const i = held[k];
    auto const *const x = held_parameters(rows, i);
    constexpr std::size_t lanes = 16;
    double partial[lanes] = {};
    for (std::size_t c = first; c < last; ++c) {
      double const away = static_cast<double>(x[c]) - static_cast<double>(mean[c]);
      partial[(c - first) % lanes] += away * away;
    }
    for (double const p : partial) distances[i] += p;
  });
  add_up(rows, distances);
  double sum = 0;
  for (double const distance : distances) sum += distance;
  return sum / static_cast<double>(distances.size());
}

}  // namespace gossip
