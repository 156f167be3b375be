// X <- W X on a panel of columns on one core: sums stay in registers while the neighbours stream
// by.
#pragma once

#include <unistd.h>

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

/// Packs of columns whose copies of all nodes lie side by side, as measured: as many as keep the
/// processor's adders busy where the first level of cache holds those of all rows; of a thousand
/// nodes half, which leave a core's cache fewer lines to find.
template <class T>
constexpr std::size_t block_packs(std::size_t rows) {
  constexpr std::size_t first_level = std::size_t{1} << 15;  // bytes
  return rows * 4 * pack_bytes <= first_level ? 4 : 2;
}

/// Copies of `width` columns of one row among others, block by block of (rows, Block).
template <std::size_t Block, class T>
void copy_blocks(T const *from, std::size_t width, std::size_t rows, T *to) {
  std::size_t const whole = width / Block * Block;
  for (std::size_t b = 0; b < whole; b += Block)
    std::memcpy(to + b * rows, from + b, Block * sizeof(T));
  std::memcpy(to + whole * rows, from + whole, (width - whole) * sizeof(T));
}

/// mix_panel in blocks of so many packs.
template <std::size_t Packs, class T>
[[gnu::noinline]] void mix_blocks(op::mixing_rows<T> const &w, rows_view<T> x, std::size_t first,
                                  std::size_t last, T *scratch, op::rows_beside<T> beside,
                                  op::rows_next<T> next) {
  constexpr std::size_t block = Packs * pack_size<T>, line = cache_line / sizeof(T);
  static_assert(columns_at_once % block == 0);
  std::size_t const rows = x.rows + beside.rows.size();
  for (; first < last; first += std::min(columns_at_once, last - first)) {
    std::size_t const width = std::min(columns_at_once, last - first);
    for (std::size_t i = 0; i < x.rows; ++i)  // a long stretch of memory at a time
      copy_blocks<block>(x.data + i * x.stride + first, width, rows, scratch + i * block);
    for (std::size_t k = 0; k < beside.rows.size(); ++k)
      copy_blocks<block>(beside.rows[k] + (first - beside.origin), width, rows,
                         scratch + (x.rows + k) * block);
    for (std::size_t b = 0; b < width; b += block) {
      T const *const copies = scratch + b * rows;
      std::size_t const columns = std::min(block, width - b);
      for (std::size_t i = 0; i < w.rows(); ++i) {
        op::mixing_row<T> const row = w.row(i);
        std::size_t const at = i * x.stride + first + b;
        T *const to = x.data + at;
        for (std::size_t c = 0; c < block && first + columns_at_once + b + c < last; c += line)
          __builtin_prefetch(to + columns_at_once + c, 0, 2);  // those copied next, to L2
        for (T const *const matrix : next.matrices)
          for (std::size_t c = 0; c < columns; c += line) __builtin_prefetch(matrix + at + c, 0, 2);
        if (columns == block)
          combine_packs<Packs>(row, copies, block, to);
        else
          for (std::size_t c = 0; c < columns; ++c)
            to[c] = op::combine_column(row, copies + c, block);
      }
    }
  }
}

/// Bytes of a core's second level of cache.
inline std::size_t second_level() {
  static std::size_t const bytes = [] {
#ifdef _SC_LEVEL2_CACHE_SIZE
    if (long const told = sysconf(_SC_LEVEL2_CACHE_SIZE); told > 0)
      return static_cast<std::size_t>(told);
#endif
    return memory_ahead::budget;
  }();
  return bytes;
}

/// Columns first to last of x (n,d) <- W x, as op::mix_panel; scratch (n + beside,
/// columns_at_once). Asks for the next rows if a core's cache has room for a panel of them all.
template <class T>
void mix_panel(op::mixing_rows<T> const &w, rows_view<T> x, std::size_t first, std::size_t last,
               T *scratch, op::rows_beside<T> beside, op::rows_next<T> next = {}) {
  std::size_t const panel = x.rows * (last - first) * sizeof(T);
  if (panel * (1 + next.matrices.size()) > second_level()) next = {};
  auto const mix =
      block_packs<T>(x.rows + beside.rows.size()) == 4 ? mix_blocks<4, T> : mix_blocks<2, T>;
  mix(w, x, first, last, scratch, beside, next);
}

}  // namespace gossip::host
