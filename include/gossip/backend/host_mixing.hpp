// X <- W X on a panel of columns on one core: sums stay in registers while the neighbours stream
// by.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include <gossip/backend/host_ahead.hpp>
#include <gossip/backend/pack.hpp>
#include <gossip/op/mix.hpp>

namespace gossip::host {

/// to[0..Packs) = sum_k values[k] * from[columns[k]], products rounded before they are added.
template <std::size_t Packs, class T>
void combine_packs(op::mixing_row<T> const &row, T const *from, std::size_t from_stride, T *to) {
  pack<T> sum[Packs];
  T const *const first = from + row.columns[0] * from_stride;
#pragma GCC unroll 16
  for (std::size_t p = 0; p < Packs; ++p)
    sum[p] = broadcast(row.values[0]) * load(first + p * pack_size<T>);
  for (std::size_t k = 1; k < row.entries; ++k) {
    pack<T> const value = broadcast(row.values[k]);
    T const *const next = from + row.columns[k] * from_stride;
#pragma GCC unroll 16
    for (std::size_t p = 0; p < Packs; ++p) sum[p] = sum[p] + value * load(next + p * pack_size<T>);
  }
#pragma GCC unroll 16
  for (std::size_t p = 0; p < Packs; ++p) store(to + p * pack_size<T>, sum[p]);
}

/// Columns that are copied aside at a time, as measured: long enough for memory to deliver at its
/// rate, short enough for a core's cache to hold those of a thousand nodes, and the next ones too.
inline constexpr std::size_t columns_at_once = 64;

/// Columns whose copies of all nodes lie side by side, as measured: those of a thousand nodes leave
/// a core's cache fewer lines to find than longer stretches would.
template <class T>
inline constexpr std::size_t block_columns = 2 * pack_size<T>;

/// Copies of `width` columns of one row among others, block by block of (rows, block_columns).
template <class T>
void copy_blocks(T const *from, std::size_t width, std::size_t rows, T *to) {
  constexpr std::size_t block = block_columns<T>;
  std::size_t const whole = width / block * block;
  for (std::size_t b = 0; b < whole; b += block)
    std::memcpy(to + b * rows, from + b, block * sizeof(T));
  std::memcpy(to + whole * rows, from + whole, (width - whole) * sizeof(T));
}

/// Columns first to last of x (n,d) <- W x, as op::mix_panel; scratch (n + beside,
/// columns_at_once).
template <class T>
[[gnu::noinline]] void mix_panel(op::mixing_rows<T> const &w, rows_view<T> x, std::size_t first,
                                 std::size_t last, T *scratch, op::rows_beside<T> beside) {
  constexpr std::size_t block = block_columns<T>;
  static_assert(columns_at_once % block == 0);
  std::size_t const rows = x.rows + beside.rows.size();
  for (; first < last; first += std::min(columns_at_once, last - first)) {
    std::size_t const width = std::min(columns_at_once, last - first);
    for (std::size_t i = 0; i < x.rows; ++i)  // a long stretch of memory at a time
      copy_blocks<T>(x.data + i * x.stride + first, width, rows, scratch + i * block);
    for (std::size_t k = 0; k < beside.rows.size(); ++k)
      copy_blocks<T>(beside.rows[k] + (first - beside.origin), width, rows,
                     scratch + (x.rows + k) * block);
    for (std::size_t b = 0; b < width; b += block) {
      T const *const copies = scratch + b * rows;
      std::size_t const columns = std::min(block, width - b);
      for (std::size_t i = 0; i < w.rows(); ++i) {
        op::mixing_row<T> const row = w.row(i);
        T *const to = x.data + i * x.stride + first + b;
        for (std::size_t c = 0; c < block && first + columns_at_once + b + c < last;
             c += cache_line / sizeof(T))
          __builtin_prefetch(to + columns_at_once + c, 0, 2);  // those copied next, to L2
        if (columns == block)
          combine_packs<block / pack_size<T>>(row, copies, block, to);
        else
          for (std::size_t c = 0; c < columns; ++c)
            to[c] = op::combine_column(row, copies + c, block);
      }
    }
  }
}

}  // namespace gossip::host
