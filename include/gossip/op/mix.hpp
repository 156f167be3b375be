// X <- W X on a tile of columns, in place: each weight of the network is read once and written
// once, with one tile of scratch.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include <gossip/core/view.hpp>
#include <gossip/op/lanes.hpp>

namespace gossip::op {

/// One row of W: columns ascend.
template <class T>
struct mixing_row {
  std::uint32_t const *columns;  // (entries)
  T const *values;               // (entries)
  std::size_t entries;
};

/// W in compressed rows with coefficients in the arithmetic type.
template <class T>
struct mixing_rows {
  std::vector<std::size_t> offsets;    // (n + 1)
  std::vector<std::uint32_t> columns;  // (entries)
  std::vector<T> values;               // (entries)
  std::uint64_t identity = 0;          // of the matrix that it was made of

  std::size_t rows() const { return offsets.size() - 1; }
  mixing_row<T> row(std::size_t i) const {
    return {&columns[offsets[i]], &values[offsets[i]], offsets[i + 1] - offsets[i]};
  }
};

/// Numbers from one row of a tile to the next: whole groups.
constexpr std::size_t tile_stride(std::size_t width) {
  return (width + lane_group - 1) / lane_group * lane_group;
}

/// Rows that are read too and lie elsewhere: columns of W from n on. Column c of those that are
/// mixed has its neighbor in rows[k][at + c].
template <class T>
struct rows_beside {
  std::span<T const *const> rows{};
  std::size_t at = 0;
};

/// scratch (n + beside, tile_stride) = columns first to last of x (n,d) and of the rows beside
template <class T>
void copy_tile(rows_view<T> x, rows_beside<T> beside, std::size_t first, std::size_t last,
               T *scratch) {
  std::size_t const width = last - first, stride = tile_stride(width);
  for (std::size_t i = 0; i < x.rows; ++i)
    std::memcpy(scratch + i * stride, x.data + i * x.stride + first, width * sizeof(T));
  for (std::size_t k = 0; k < beside.rows.size(); ++k)
    std::memcpy(scratch + (x.rows + k) * stride, beside.rows[k] + beside.at + first,
                width * sizeof(T));
}

/// One column of one row of W X: products are rounded, then added in ascending order of the nodes.
template <class T>
constexpr T combine_column(mixing_row<T> const &row, T const *from, std::size_t from_stride) {
  T sum = row.values[0] * from[row.columns[0] * from_stride];
  for (std::size_t k = 1; k < row.entries; ++k)
    sum += row.values[k] * from[row.columns[k] * from_stride];
  return sum;
}

/// Columns first to last of x (n,d) <- W x; scratch as copy_tile writes it.
template <class T>
void mix_tile(mixing_rows<T> const &w, rows_view<T> x, std::size_t first, std::size_t last,
              T *scratch, rows_beside<T> beside = {}) {
  copy_tile(x, beside, first, last, scratch);
  for (std::size_t i = 0; i < w.rows(); ++i)
    for (std::size_t c = first; c < last; ++c)
      x[i][c] = combine_column(w.row(i), scratch + c - first, tile_stride(last - first));
}

}  // namespace gossip::op
