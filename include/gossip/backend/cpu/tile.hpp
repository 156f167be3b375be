// A tile of a product that stays in the registers of one core while its operands stream by.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>

#include <gossip/backend/cpu/pack.hpp>

namespace gossip::host {

/// Numbers of packs of one row and of rows in a tile, so that sums, one operand and a broadcast fit
/// the registers.
template <class T, std::size_t Lanes>
struct tile_shape {
  static constexpr std::size_t packs =
      std::min<std::size_t>(Lanes / pack_size<T>, registers >= 32 ? 4 : 2);
  static constexpr std::size_t rows = std::min<std::size_t>((registers - packs - 1) / packs, 12);
};

template <class T, std::size_t Rows, std::size_t Packs>
struct tile {
  pack<T> sum[Rows][Packs];

  void fill(T const *row_values) {
#pragma GCC unroll 16
    for (std::size_t r = 0; r < Rows; ++r)
#pragma GCC unroll 16
      for (std::size_t p = 0; p < Packs; ++p)
        sum[r][p] = broadcast(row_values ? row_values[r] : T{0});
  }

  /// sum(r, lane) += a[r * a_stride] * b[lane]
  void add(T const *a, std::size_t a_stride, T const *b) {
    pack<T> operand[Packs];
#pragma GCC unroll 16
    for (std::size_t p = 0; p < Packs; ++p) operand[p] = load(b + p * pack_size<T>);
#pragma GCC unroll 16
    for (std::size_t r = 0; r < Rows; ++r) {
      pack<T> const factor = broadcast(a[r * a_stride]);
#pragma GCC unroll 16
      for (std::size_t p = 0; p < Packs; ++p)
        sum[r][p] = multiply_add<T>(factor, operand[p], sum[r][p]);
    }
  }

  /// Packs of a row lie at the places given, seen from its first number.
  void read(T const *from, std::size_t row_stride, std::array<std::size_t, Packs> const &places) {
#pragma GCC unroll 16
    for (std::size_t r = 0; r < Rows; ++r)
#pragma GCC unroll 16
      for (std::size_t p = 0; p < Packs; ++p) sum[r][p] = load(from + r * row_stride + places[p]);
  }

  /// Asks for what will be written, which may lie far away.
  static void prefetch(T *out, std::size_t row_stride,
                       std::array<std::size_t, Packs> const &places) {
#pragma GCC unroll 16
    for (std::size_t r = 0; r < Rows; ++r)
#pragma GCC unroll 16
      for (std::size_t p = 0; p < Packs; ++p)
        __builtin_prefetch(out + r * row_stride + places[p], 1);
  }

  void write(T *out, std::size_t row_stride, std::array<std::size_t, Packs> const &places) const {
#pragma GCC unroll 16
    for (std::size_t r = 0; r < Rows; ++r)
#pragma GCC unroll 16
      for (std::size_t p = 0; p < Packs; ++p) store(out + r * row_stride + places[p], sum[r][p]);
  }

  void write(T *out, std::size_t row_stride) const {
#pragma GCC unroll 16
    for (std::size_t r = 0; r < Rows; ++r)
#pragma GCC unroll 16
      for (std::size_t p = 0; p < Packs; ++p)
        store(out + r * row_stride + p * pack_size<T>, sum[r][p]);
  }
};

/// Cuts Count rows in as few tiles of at most Rows as there need be, alike to one row:
/// f<rows>(first).
template <std::size_t Count, std::size_t Rows, class F>
void for_each_tile(F f) {
  constexpr std::size_t tiles = (Count + Rows - 1) / Rows;
  constexpr std::size_t low = Count / tiles, higher = Count % tiles;
  std::size_t first = 0;
  if constexpr (higher > 0)
    for (std::size_t t = 0; t < higher; ++t, first += low + 1)
      f.template operator()<low + 1>(first);
  for (std::size_t t = higher; t < tiles; ++t, first += low) f.template operator()<low>(first);
}

}  // namespace gossip::host
