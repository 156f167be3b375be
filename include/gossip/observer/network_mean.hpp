// The mean of all nodes' parameters, with a sum that does not depend on the order of the nodes.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include <gossip/core/node.hpp>
#include <gossip/core/view.hpp>
#include <gossip/fleet/ranked_rows.hpp>
#include <gossip/fleet/row_window.hpp>

namespace gossip {

namespace detail {

/// Columns that share one grid; fixed, since the grid is part of the result.
inline constexpr std::size_t grid_columns = 512;

/// An integer whose order is that of |x|, numbers that are not finite last: its maximum over a loop
/// is one of vectors.
template <class T>
auto bits_of_size(T x) {
  if constexpr (sizeof(T) == sizeof(std::uint32_t))
    return static_cast<std::int32_t>(std::bit_cast<std::uint32_t>(x) & 0x7fffffffU);
  else
    return static_cast<std::int64_t>(std::bit_cast<std::uint64_t>(static_cast<double>(x)) &
                                     0x7fffffffffffffffU);
}

/// The largest |x| of columns first to last over some rows; infinity where one is not finite.
template <class T>
double largest_of_tile(rows_view<T const> rows, std::size_t first, std::size_t last) {
  decltype(bits_of_size(T{})) largest = 0;
  for (std::size_t i = 0; i < rows.rows; ++i) {
    auto const *const x = rows[i].data();
    for (std::size_t c = first; c < last; ++c) largest = std::max(largest, bits_of_size(x[c]));
  }
  double size = 0;
  if constexpr (sizeof(largest) == sizeof(float))
    size = static_cast<double>(std::bit_cast<float>(largest));
  else
    size = std::bit_cast<double>(largest);
  return std::isfinite(size) ? size : std::numeric_limits<double>::infinity();
}

/// Addends of n nodes are rounded to multiples of one over this, 2^s with largest 2^s < 2^(62 -
/// ceil(log2 n)).
inline double grid_of(double largest, std::size_t n) {
  int exponent = 0, bits = 0;
  std::frexp(largest, &exponent);  // largest < 2^exponent
  std::frexp(static_cast<double>(n), &bits);
  return std::ldexp(1.0, std::min(62 - bits - exponent, 1023));
}

/// The integer next to a number below 2^51 in size, by two sums, which are vectors everywhere.
inline double nearest_integer(double x) {
  constexpr double shift = 0x1.8p52;  // its last place is 1
  return (x + shift) - shift;
}

/// sums[c - first] += the multiples next to columns first to last, over some rows. A multiple is
/// cut into its upper and lower places, whose sums doubles hold exactly: few processors convert
/// vectors to integers of 64 bits, and one by one they take three times as long.
template <class T>
void add_tile(rows_view<T const> rows, std::size_t first, std::size_t last, double grid,
              std::int64_t *sums) {
  constexpr double places = 0x1p31;
  constexpr std::size_t at_once = std::size_t{1} << 21;  // sums below 2^53
  std::size_t const columns = last - first;
  for (std::size_t begin = 0; begin < rows.rows; begin += at_once) {
    double upper[grid_columns] = {}, lower[grid_columns] = {};
    for (std::size_t i = begin; i < std::min(begin + at_once, rows.rows); ++i) {
      auto const *const x = rows[i].data() + first;
      for (std::size_t c = 0; c < columns; ++c) {
        double const multiple = static_cast<double>(x[c]) * grid;  // below 2^62
        double const high = nearest_integer(multiple * (1 / places));
        upper[c] += high;
        lower[c] += nearest_integer(multiple - high * places);
      }
    }
    for (std::size_t c = 0; c < columns; ++c)
      sums[c] += static_cast<std::int64_t>(upper[c]) * (std::int64_t{1} << 31) +
                 static_cast<std::int64_t>(lower[c]);
  }
}

/// mean[c] of so many columns from their sums; not a number where an addend was not finite.
template <class T>
void finish_tile(std::int64_t const *sums, std::size_t columns, double largest, std::size_t n,
                 T *mean) {
  if (!std::isfinite(largest))
    return void(std::fill_n(mean, columns, std::numeric_limits<T>::quiet_NaN()));
  double const grid = grid_of(largest, n);
  for (std::size_t c = 0; c < columns; ++c)
    mean[c] = static_cast<T>(static_cast<double>(sums[c]) / static_cast<double>(n) / grid);
}

/// mean[c - first] for columns first to last of the rows of all nodes.
template <class T, class Row>
void mean_tile(rows_view<Row const> rows, std::size_t first, std::size_t last, T *mean) {
  double const largest = largest_of_tile(rows, first, last);
  std::int64_t sums[grid_columns] = {};
  if (std::isfinite(largest)) add_tile(rows, first, last, grid_of(largest, rows.rows), sums);
  finish_tile(sums, last - first, largest, rows.rows, mean);
}

/// f(p, first, last) for every tile p of a window, whose columns are first to last of the
/// window's.
template <class T, class Backend, class F>
void each_grid(row_window<T> const &part, Backend const &backend, F f) {
  std::size_t const begin = part.first / grid_columns;
  std::size_t const end = (part.last + grid_columns - 1) / grid_columns;
  backend.for_each(end - begin, [&](std::size_t, std::size_t k) {
    std::size_t const first = k * grid_columns;
    f(begin + k, first, std::min(first + grid_columns, part.last - part.first));
  });
}

/// Tiles whose sums are taken together, of rows in several windows: 16 MB.
inline constexpr std::size_t grids_at_once = 4096;

/// Bytes of those sums and of all tiles' maxima.
constexpr std::size_t mean_in_parts_bytes(std::size_t d) {
  std::size_t const tiles = (d + grid_columns - 1) / grid_columns;
  return std::min(grids_at_once, tiles) * grid_columns * sizeof(std::int64_t) +
         tiles * sizeof(double);
}

/// The same where rows are seen in windows or held by several ranks: all maxima give the grid, sums
/// are added as integers.
template <class T, class Rows, class Backend>
void mean_in_parts(Rows const &rows, Backend const &backend, T *mean) {
  static_assert(window_columns == grid_columns);
  std::size_t const d = rows.size().parameters, n = rows.size().nodes;
  std::size_t const tiles = (d + grid_columns - 1) / grid_columns;
  auto const end = [&](std::size_t p) { return std::min((p + 1) * grid_columns, d); };
  std::vector<double> largest(tiles);
  each_window(rows, 0, d, [&](auto const &part) {
    each_grid(part, backend, [&](std::size_t p, std::size_t first, std::size_t last) {
      largest[p] = std::max(largest[p], largest_of_tile(part.values, first, last));
    });
  });
  if constexpr (spread_over_ranks<Rows>) rows.all_reduce_max(std::span<double>(largest));
  std::vector<std::int64_t> sums;
  for (std::size_t begin = 0; begin < tiles; begin += grids_at_once) {
    std::size_t const count = std::min(grids_at_once, tiles - begin);
    sums.assign(count * grid_columns, 0);
    each_window(rows, begin * grid_columns, end(begin + count - 1), [&](auto const &part) {
      each_grid(part, backend, [&](std::size_t p, std::size_t first, std::size_t last) {
        if (std::isfinite(largest[p]))
          add_tile(part.values, first, last, grid_of(largest[p], n),
                   sums.data() + (p - begin) * grid_columns);
      });
    });
    all_reduce_sum(rows, sums);
    for (std::size_t k = 0; k < count; ++k) {
      std::size_t const first = (begin + k) * grid_columns;
      finish_tile(sums.data() + k * grid_columns, end(begin + k) - first, largest[begin + k], n,
                  mean + first);
    }
  }
}

}  // namespace detail

/// mean (d) of the parameters over all nodes.
template <class T, class Rows, class Backend>
void network_mean(Rows const &rows, Backend const &backend, T *mean) {
  std::size_t const d = rows.size().parameters;
  if (rows.size().shared)
    return each_window(rows, 0, d, [&](auto const &part) {
      for (std::size_t c = part.first; c < part.last; ++c)
        mean[c] = static_cast<T>(part.values[0][c - part.first]);
    });
  if constexpr (seen_in_windows<Rows>) {
    detail::mean_in_parts(rows, backend, mean);
  } else {
    each_window(rows, 0, d, [&](auto const &all) {
      detail::each_grid(all, backend, [&](std::size_t, std::size_t first, std::size_t last) {
        detail::mean_tile(all.values, first, last, mean + first);
      });
    });
  }
}

/// |x_i - from|^2 of every node i (n) over columns first to last, in double; from (d).
template <class T, class Rows, class Backend>
std::vector<double> squared_distances(Rows const &rows, Backend const &backend, T const *from,
                                      std::size_t first, std::size_t last) {
  constexpr std::size_t lanes = 16;
  static_assert(window_columns % lanes == 0);
  std::vector<double> distances(rows.size().nodes, 0.0);
  auto const held = held_nodes(rows);
  std::array<double, lanes> begun{};  // of the one row of a window that cuts it
  each_window(rows, first, last, [&](auto const &part) {
    backend.for_each(part.values.rows, [&](std::size_t, std::size_t k) {
      auto const *const x = part.values[k].data();
      T const *const origin = from + part.first;
      std::array<double, lanes> partial{};
      if (part.first > first) partial = begun;
      std::size_t const columns = part.last - part.first;
      for (std::size_t c = 0; c < columns; c += lanes) {
        std::size_t const end = std::min(lanes, columns - c);
        for (std::size_t lane = 0; lane < end; ++lane) {
          double const away =
              static_cast<double>(x[c + lane]) - static_cast<double>(origin[c + lane]);
          partial[lane] += away * away;
        }
      }
      if (part.last < last) return void(begun = partial);
      double &distance = distances[rows.size().shared ? node{0} : held[part.begin + k]];
      for (double const p : partial) distance += p;
    });
  });
  if (rows.size().shared)
    std::fill(distances.begin(), distances.end(), distances[0]);
  else
    all_reduce_sum(rows, distances);
  return distances;
}

/// (1/n) sum_i |x_i - mean|^2 over columns first to last, these and then nodes in ascending order.
template <class T, class Rows, class Backend>
double mean_squared_distance(Rows const &rows, Backend const &backend, T const *mean,
                             std::size_t first, std::size_t last) {
  auto const distances = squared_distances(rows, backend, mean, first, last);
  double sum = 0;
  for (double const distance : distances) sum += distance;
  return sum / static_cast<double>(distances.size());
}

}  // namespace gossip
