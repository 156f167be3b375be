// X <- W X on a tile of columns on one core: sums stay in registers while the neighbours stream
// by.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <utility>

#include <gossip/backend/cpu/ahead.hpp>
#include <gossip/backend/cpu/pack.hpp>
#include <gossip/op/mix.hpp>

namespace gossip::host {

/// to[0..Packs) = sum_k values[k] * from[columns[k]], products rounded before they are added.
template <std::size_t Packs, class T>
[[gnu::always_inline]] inline void combine_packs(op::mixing_row<T> const &row, T const *from,
                                                 std::size_t from_stride, T *to) {
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

/// Columns of all rows that scratch holds: a stripe that is mixed, and the next.
inline constexpr std::size_t columns_at_once = 64;

/// Columns that are mixed at a time, as measured: enough for memory to deliver at its rate, so few
/// that a core's cache holds three of them of thousands of nodes.
inline constexpr std::size_t stripe = columns_at_once / 2;

/// Rows from the one that is mixed to one whose next columns the first level of cache will have by
/// the time they are copied, as measured.
inline constexpr std::size_t rows_ahead = 8;

/// Asks for numbers of one row, to the second level of cache or to the first.
template <int Level, class T>
void ask_for(T const *from, std::size_t count) {
  for (std::size_t c = 0; c < count; c += cache_line / sizeof(T))
    __builtin_prefetch(from + c, 0, 4 - Level);
}

/// Up to a stripe of numbers.
template <class T>
void copy_stripe(T const *from, std::size_t count, T *to) {
  if (count == stripe)
    std::memcpy(to, from, stripe * sizeof(T));
  else
    std::copy_n(from, count, to);
}

/// Columns of the stripe that begins there, in a tile that ends at `last`.
constexpr std::size_t stripe_at(std::size_t begin, std::size_t last) {
  return std::min(stripe, last - begin);
}

/// A stripe of x <- W x, from the copies of its columns; meanwhile those of the next stripe are
/// copied and the one behind is asked for. `Inside`: all three are whole.
template <bool Inside, class T>
[[gnu::noinline]] void mix_stripe(op::mixing_rows<T> const &w, rows_view<T> x, std::size_t first,
                                  std::size_t last, T const *copies, T *next_copies) {
  std::size_t const width = Inside ? stripe : stripe_at(first, last);
  std::size_t const second = first + width;
  std::size_t const second_width = Inside ? stripe : stripe_at(second, last);
  std::size_t const third = second + second_width;
  std::size_t const third_width = Inside ? stripe : stripe_at(third, last);
  for (std::size_t i = 0; i < x.rows; ++i) {
    T *const row = x.data + i * x.stride;
    ask_for<2>(row + third, third_width);
    if (width == stripe)
      combine_packs<stripe / pack_size<T>>(w.row(i), copies, stripe, row + first);
    else
      for (std::size_t c = 0; c < width; ++c)
        row[first + c] = op::combine_column(w.row(i), copies + c, stripe);
    if (i + rows_ahead < x.rows) ask_for<1>(row + rows_ahead * x.stride + second, second_width);
    copy_stripe(row + second, second_width, next_copies + i * stripe);
  }
}

/// Columns first to last of x (n,d) <- W x, as op::mix_tile; scratch (n + beside,
/// columns_at_once).
template <class T>
void mix_tile(op::mixing_rows<T> const &w, rows_view<T> x, std::size_t first, std::size_t last,
              T *scratch, op::rows_beside<T> beside) {
  T *copies = scratch, *next_copies = scratch + (x.rows + beside.rows.size()) * stripe;
  auto const copy_beside = [&](std::size_t begin, T *to) {
    for (std::size_t k = 0; k < beside.rows.size(); ++k)
      copy_stripe(beside.rows[k] + beside.at + begin, stripe_at(begin, last),
                  to + (x.rows + k) * stripe);
  };
  for (std::size_t i = 0; i < x.rows; ++i)
    copy_stripe(x.data + i * x.stride + first, stripe_at(first, last), copies + i * stripe);
  copy_beside(first, copies);
  for (; first < last; first += stripe_at(first, last)) {
    auto const mix = last - first >= 3 * stripe ? mix_stripe<true, T> : mix_stripe<false, T>;
    mix(w, x, first, last, copies, next_copies);
    if (last - first > stripe) copy_beside(first + stripe, next_copies);
    std::swap(copies, next_copies);
  }
}

}  // namespace gossip::host
