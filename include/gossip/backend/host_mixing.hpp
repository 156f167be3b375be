// X <- W X on a panel of columns on one core: sums stay in registers while the neighbours stream
// by.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>

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
/// rate, short enough for a core's cache to hold those of a thousand nodes.
inline constexpr std::size_t columns_at_once = 128;

/// Columns first to last of x (n,d) <- W x, as op::mix_panel; scratch (n, columns_at_once).
template <class T>
[[gnu::noinline]] void mix_panel(op::mixing_rows<T> const &w, rows_view<T> x, std::size_t first,
                                 std::size_t last, T *scratch) {
  constexpr std::size_t wide = registers / 8;
  for (; first < last; first += std::min(columns_at_once, last - first)) {
    std::size_t const width = std::min(columns_at_once, last - first);
    std::size_t const stride = op::panel_stride(width);
    op::copy_panel(x, first, first + width, scratch);
    for (std::size_t i = 0; i < w.rows(); ++i) {
      op::mixing_row<T> const row = w.row(i);
      T *const to = x.data + i * x.stride + first;
      std::size_t c = 0;
      for (; c + wide * pack_size<T> <= width; c += wide * pack_size<T>)
        combine_packs<wide>(row, scratch + c, stride, to + c);
      for (; c + pack_size<T> <= width; c += pack_size<T>)
        combine_packs<1>(row, scratch + c, stride, to + c);
      for (; c < width; ++c) to[c] = op::combine_column(row, scratch + c, stride);
    }
  }
}

}  // namespace gossip::host
