// The mean of all nodes' parameters, with a sum that does not depend on the order of the nodes.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <gossip/core/node.hpp>
#include <gossip/core/view.hpp>
#include <gossip/fleet/ranked_rows.hpp>
#include <gossip/fleet/row_window.hpp>
#include <gossip/observer/detail/column_sums.hpp>

namespace gossip {

namespace detail {

/// Grids that are summed in one pass: pieces of rows of 16 kB in float, whose sums stay in the
/// cache.
inline constexpr std::size_t grids_in_a_pass = 8;

/// The sums of such a pass.
template <class Row>
inline constexpr std::size_t sums_in_a_pass =
    grids_in_a_pass * grid_columns * column_sums<Row>::parts;

/// mean[c - first] for columns first to last, in so many grids, of the rows of all nodes, which are
/// read once: the first rows say which grids to expect, and a grid that turns out another is done
/// again. storage: sums_in_a_pass<Row> numbers.
template <class T, class Row>
void mean_of_columns(rows_view<Row const> rows, std::size_t first, std::size_t last,
                     std::int64_t *storage, T *mean) {
  constexpr std::size_t asked = 8, most = grids_in_a_pass * grid_columns;
  std::size_t const n = rows.rows, grids = (last - first + grid_columns - 1) / grid_columns;
  std::fill_n(storage, sums_in_a_pass<Row>, 0);
  column_sums<Row> const sums(storage, most);
  auto const begin = [&](std::size_t k) { return first + k * grid_columns; };
  auto const end = [&](std::size_t k) { return std::min(begin(k) + grid_columns, last); };
  double const finer = std::ldexp(1.0, bits_of_addends(n));
  rows_view<Row const> const few{rows.data, std::min(asked, n), rows.columns, rows.stride};
  double grid[grids_in_a_pass];
  size_bits<Row> largest[grids_in_a_pass] = {};
  for (std::size_t k = 0; k < grids; ++k) {
    double const expected = largest_of_tile(few, begin(k), end(k));
    grid[k] = grid_of(std::isfinite(expected) ? expected : 1.0, n);
  }
  sums.begin(n, 0, last - first);
  by_fours(n, [&](auto together, std::size_t i) {
    Row const *x[together()];
    for (std::size_t k = 0; k < grids; ++k) {
      for (std::size_t r = 0; r < together(); ++r) x[r] = rows[i + r].data() + begin(k);
      largest[k] =
          std::max(largest[k], sums.template add_rows<together()>(
                                   x, begin(k) - first, end(k) - begin(k), grid[k], finer));
    }
  });
  for (std::size_t k = 0; k < grids; ++k) {
    double const found = size_of_bits(largest[k]);
    std::size_t const at = begin(k) - first, columns = end(k) - begin(k);
    if (std::isfinite(found) && grid_of(found, n) != grid[k]) {
      for (std::size_t p = 0; p < column_sums<Row>::parts; ++p)
        std::fill_n(storage + p * most + at, columns, 0);
      add_tile(rows, begin(k), end(k), grid_of(found, n), n, sums, at);
    }
    sums.finish(at, columns, found, n, mean + at);
  }
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

/// Tiles whose sums are taken together, of rows in several windows: 16 MB, of double twice that.
inline constexpr std::size_t grids_at_once = 4096;

/// Bytes of those sums and of all tiles' maxima.
template <class Row>
constexpr std::size_t mean_in_parts_bytes(std::size_t d) {
  std::size_t const tiles = (d + grid_columns - 1) / grid_columns;
  return std::min(grids_at_once, tiles) * grid_columns * column_sums<Row>::parts *
             sizeof(std::int64_t) +
         tiles * sizeof(double);
}

/// The same where rows are seen in windows or held by several ranks: all maxima give the grid, sums
/// are added as integers.
template <class T, class Rows, class Backend>
void mean_in_parts(Rows const &rows, Backend const &backend, T *mean) {
  static_assert(window_columns == grid_columns);
  using sums_type = column_sums<typename Rows::element>;
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
    std::size_t const columns = count * grid_columns;
    sums.assign(sums_type::parts * columns, 0);
    sums_type const of(sums.data(), columns);
    each_window(rows, begin * grid_columns, end(begin + count - 1), [&](auto const &part) {
      each_grid(part, backend, [&](std::size_t p, std::size_t first, std::size_t last) {
        if (std::isfinite(largest[p]))
          add_tile(part.values, first, last, grid_of(largest[p], n), n, of,
                   (p - begin) * grid_columns);
      });
    });
    all_reduce_sum(rows, sums);
    for (std::size_t k = 0; k < count; ++k) {
      std::size_t const first = (begin + k) * grid_columns;
      of.finish(k * grid_columns, end(begin + k) - first, largest[begin + k], n, mean + first);
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
  if (come_by_nodes(rows)) return detail::mean_in_parts(rows, backend, mean);
  if constexpr (!seen_in_windows<Rows>) {
    each_window(rows, 0, d, [&](auto const &part) {
      std::size_t const columns = part.last - part.first;
      std::size_t const grids = (columns + detail::grid_columns - 1) / detail::grid_columns;
      std::size_t const at_once =
          detail::grid_columns *
          std::clamp<std::size_t>(grids / backend.workers(), 1, detail::grids_in_a_pass);
      constexpr std::size_t sums = detail::sums_in_a_pass<typename Rows::element>;
      std::vector<std::int64_t> storage(backend.workers() * sums);  // 64 KiB each for double
      backend.for_each((columns + at_once - 1) / at_once, [&](std::size_t worker, std::size_t k) {
        std::size_t const first = k * at_once;
        detail::mean_of_columns(part.values, first, std::min(first + at_once, columns),
                                storage.data() + worker * sums, mean + part.first + first);
      });
    });
  }
}

namespace detail {

/// Lanes in which the squares of a row are summed.
inline constexpr std::size_t square_lanes = 16;
using lane_sums = std::array<double, square_lanes>;

/// Adds the squares of x - from over `columns` columns of some rows to their lanes. Column c of a
/// row belongs to lane c % 16; done: columns of the row before these.
template <std::size_t Together, class T, class Row>
void add_squares(std::array<Row const *, Together> const &x, T const *from, std::size_t columns,
                 std::size_t done, lane_sums *sums) {
  std::array<lane_sums, Together> partial;
  std::copy_n(sums, Together, partial.begin());
  auto const add = [&](std::size_t c, std::size_t first, std::size_t lanes) {
    lane_sums origin{};
    for (std::size_t lane = 0; lane < lanes; ++lane)
      origin[lane] = static_cast<double>(from[c + lane]);
    for (std::size_t r = 0; r < Together; ++r)
      for (std::size_t lane = 0; lane < lanes; ++lane) {
        double const away = static_cast<double>(x[r][c + lane]) - origin[lane];
        partial[r][first + lane] += away * away;
      }
  };
  std::size_t const begun = done % square_lanes;
  std::size_t c = begun == 0 ? 0 : std::min(columns, square_lanes - begun);
  add(0, begun, c);
  for (; c + square_lanes <= columns; c += square_lanes) add(c, 0, square_lanes);
  add(c, 0, columns - c);
  std::copy_n(partial.begin(), Together, sums);
}

}  // namespace detail

/// |x_i - from|^2 of every node i (n) over columns first to last, in double; from (d).
template <class T, class Rows, class Backend>
std::vector<double> squared_distances(Rows const &rows, Backend const &backend, T const *from,
                                      std::size_t first, std::size_t last) {
  using Row = typename Rows::element;
  std::vector<double> distances(rows.size().nodes, 0.0);
  auto const held = held_nodes(rows);
  std::vector<detail::lane_sums> begun;  // of the rows that a window has cut
  each_window(rows, first, last, [&](auto const &part) {
    // The numbers of `from` are converted once for four rows, where there are enough for all
    // threads.
    std::size_t const n = part.values.rows, at_once = n >= 8 * backend.workers() ? 4 : 1;
    if (part.last < last) begun.resize(rows.size().rows());
    backend.for_each((n + at_once - 1) / at_once, [&](std::size_t, std::size_t group) {
      detail::by_fours(std::min(at_once, n - group * at_once), [&](auto together, std::size_t r) {
        std::array<Row const *, together()> x;
        std::array<detail::lane_sums, together()> sums{};
        std::size_t const k = group * at_once + r;
        for (std::size_t m = 0; m < together(); ++m) x[m] = part.values[k + m].data();
        auto const kept =
            begun.begin() + static_cast<std::ptrdiff_t>(begun.empty() ? 0 : part.begin + k);
        if (part.first > first) std::copy_n(kept, together(), sums.begin());
        detail::add_squares(x, from + part.first, part.last - part.first, part.first - first,
                            sums.data());
        if (part.last < last) return void(std::copy_n(sums.begin(), together(), kept));
        for (std::size_t m = 0; m < together(); ++m) {
          double &distance = distances[rows.size().shared ? node{0} : held[part.begin + k + m]];
          for (double const sum : sums[m]) distance += sum;
        }
      });
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
