// Tiles of columns of all rows as functions of one number, for devices: copies, and what becomes
// of a neighborhood.
#pragma once

#include <cstddef>
#include <cstdint>

#include <gossip/engine/device/program.hpp>
#include <gossip/fleet/row_rounding.hpp>
#include <gossip/op/neighborhood.hpp>
#include <gossip/op/split_index.hpp>

namespace gossip::device_op {

/// scratch (n, width) = columns first to first + width of all parameter rows, or of those chosen.
template <class T, class Row>
struct copy_tile {
  rows<Row> all;
  T *scratch;
  std::size_t first, width;
  std::uint32_t const *chosen = nullptr;  // (n) places; null: rows 0 to n

  constexpr void operator()(std::size_t index) const {
    auto const [i, c] = op::split_index(index, width);
    scratch[index] = static_cast<T>(all.row(0, chosen ? chosen[i] : i)[first + c]);
  }
};

/// Columns of rows 0 to n = block (n, width).
template <class T>
struct put_tile {
  rows<T> all;
  T const *block;
  std::size_t first, width;

  constexpr void operator()(std::size_t index) const {
    auto const [i, c] = op::split_index(index, width);
    all.row(0, i)[first + c] = block[index];
  }
};

/// The same columns of row i = a function of its neighborhood in scratch, in ascending order.
template <class T, class Row, class Neighborhoods>
struct mix_tile {
  rows<Row> all;
  std::size_t const *offsets;
  std::uint32_t const *neighbors;
  T const *weights;
  T const *scratch;
  row_write const *writes;  // (n); null where rows are not rounded
  std::size_t first, width;
  std::uint16_t slot = 0;  // of `all`, for the random bits of its rounding
  std::uint16_t code = 0;  // of the function

  constexpr void operator()(std::size_t index) const {
    auto const [i, c] = op::split_index(index, width);
    std::size_t const begin = offsets[i];
    T const mixed =
        Neighborhoods::call(code, neighbor_column<T>{neighbors + begin, weights + begin,
                                                     offsets[i + 1] - begin, scratch + c, width});
    Row &to = all.row(0, i)[first + c];
    to = put_number(writes ? writes[i] : row_write{}, slot, first + c, to, mixed);
  }
};

}  // namespace gossip::device_op
