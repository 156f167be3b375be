// Tiles of columns of all rows as functions of one number, for devices: copies, and what becomes
// of a neighborhood.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include <gossip/core/repeat.hpp>
#include <gossip/engine/device/program.hpp>
#include <gossip/engine/row_rounding.hpp>
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

/// The same columns of all rows, to become functions of their neighborhoods in scratch, each in
/// ascending order.
template <class T, class Row>
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

  /// Column c of row i, of numbers (rows, stride) of that column. Neighborhoods: the functions that
  /// codes count in.
  template <class Neighborhoods>
  constexpr void mix_column(std::size_t i, std::size_t c, T const *numbers,
                            std::size_t stride) const {
    std::size_t const begin = offsets[i];
    T const mixed =
        Neighborhoods::call(code, neighbor_column<T>{neighbors + begin, weights + begin,
                                                     offsets[i + 1] - begin, numbers, stride});
    store(i, c, mixed);
  }
  /// The mixed number of column c of row i, rounded to the row's format.
  constexpr void store(std::size_t i, std::size_t c, T mixed) const {
    Row &to = all.row(0, i)[c];
    to = put_number(writes ? writes[i] : row_write{}, slot, c, to, mixed);
  }
};

/// Mixes column c of row i of a tile; index counts (i, c).
template <class T, class Row, class Neighborhoods>
struct mix_columns {
  mix_tile<T, Row> mix;

  constexpr void operator()(std::size_t index) const {
    auto const [i, c] = op::split_index(index, mix.width);
    mix.template mix_column<Neighborhoods>(i, mix.first + c, mix.scratch + c, mix.width);
  }
};

/// X <- W X by teams, each of which has `Wide` columns of all rows in memory of its own, at a
/// multiple of 16 bytes: every row is read and written once. mix: of all columns, from the first
/// on, without scratch.
template <std::size_t Wide, class T, class Row, class Neighborhoods>
struct mix_by_teams {
  mix_tile<T, Row> mix;
  std::size_t rows;

  template <class Team>
  constexpr void operator()(Team const &team, std::byte *memory, std::size_t part) const {
    T *const numbers = reinterpret_cast<T *>(memory);  // (rows, Wide)
    std::size_t const begin = mix.first + part * Wide;
    std::size_t const left = mix.width - part * Wide, width = left < Wide ? left : Wide;
    constexpr std::size_t at_once = 8;  // rows that are asked for before the first is there
    team.each((rows + at_once - 1) / at_once * Wide, [=, this](std::size_t index) {
      std::size_t const i = index / Wide * at_once, c = index % Wide;
      T column[at_once];
      repeat<at_once>([&](std::size_t k) {
        if (c < width && i + k < rows) column[k] = static_cast<T>(mix.all.row(0, i + k)[begin + c]);
      });
      repeat<at_once>([&](std::size_t k) {
        if (c < width && i + k < rows) numbers[(i + k) * Wide + c] = column[k];
      });
    });
    if (mix.code == Neighborhoods::template number_of<op::weighted_sum>) {
      if constexpr (std::is_same_v<T, Row>)
        if (width == Wide && begin % vector_width == 0)  // whole stores
          return team.each(rows * Wide / vector_width, [=, this](std::size_t index) {
            std::size_t const i = index * vector_width / Wide, c = index * vector_width % Wide;
            auto *const to = reinterpret_cast<column_vector *>(mix.all.row(0, i) + begin);
            to[c / vector_width] = combine(i, numbers + c);
          });
      return team.each(rows * Wide / vector_width, [=, this](std::size_t index) {
        std::size_t const i = index * vector_width / Wide, c = index * vector_width % Wide;
        column_vector const sums = combine(i, numbers + c);
        for (std::size_t k = 0; k < vector_width; ++k)
          if (c + k < width) mix.store(i, begin + c + k, sums.x[k]);
      });
    }
    team.each(rows * Wide, [=, this](std::size_t index) {
      std::size_t const i = index / Wide, c = index % Wide;
      if (c < width) mix.template mix_column<Neighborhoods>(i, begin + c, numbers + c, Wide);
    });
  }

 private:
  static constexpr std::size_t vector_width = 4;
  struct alignas(16) column_vector {
    T x[vector_width];
  };

  /// Weighted sums of some columns, each in the order of op::combine_column.
  constexpr column_vector combine(std::size_t i, T const *numbers) const {
    std::size_t const begin = mix.offsets[i], end = mix.offsets[i + 1];
    column_vector sums = *columns_of(numbers, mix.neighbors[begin]);
    repeat<vector_width>([&](std::size_t c) { sums.x[c] *= mix.weights[begin]; });
    for (std::size_t k = begin + 1; k < end; ++k) {
      column_vector const more = *columns_of(numbers, mix.neighbors[k]);
      repeat<vector_width>([&](std::size_t c) { sums.x[c] += mix.weights[k] * more.x[c]; });
    }
    return sums;
  }
  static constexpr column_vector const *columns_of(T const *numbers, std::uint32_t row) {
    return reinterpret_cast<column_vector const *>(numbers + row * Wide);
  }
};

}  // namespace gossip::device_op
