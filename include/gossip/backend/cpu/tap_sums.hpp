// The gradient of a convolution's weights on one core, for few channels: a tile of (filters x taps)
// adds up products over positions, a register of samples at a time; samples are added up last.
#pragma once

#include <algorithm>
#include <cstddef>

#include <gossip/backend/cpu/pack.hpp>
#include <gossip/backend/cpu/packed_row.hpp>
#include <gossip/backend/cpu/tile.hpp>
#include <gossip/op/convolution_axis.hpp>
#include <gossip/op/convolution_blocks.hpp>
#include <gossip/op/convolution_pass.hpp>

namespace gossip::host {

/// in (c, y, x, lanes), out_gradient (f, y, x, lanes) -> weight_gradient (f, c, ky, kx), added to
/// what is there where `accumulate`.
template <convolution_shape S, std::size_t Lanes, class T>
class tap_sums {
  using blocks = op::tap_sum_blocks<S, Lanes>;
  using packed_row = op::packed_row<op::forward_pass<S>>;
  static constexpr std::size_t row_numbers = blocks::row_numbers;
  /// Rows of taps in one tile, and filters, so that sums and operands fit the registers.
  static constexpr std::size_t tap_rows = 3 * (S.taps() + 1) < registers ? S.kernel : 1;
  static constexpr std::size_t taps = tap_rows * S.kernel;
  static constexpr std::size_t filters = std::max<std::size_t>(1, (registers - 1) / (taps + 1));

 public:
  T const *in, *out_gradient;
  T *weight_gradient, *scratch;  // blocks::scratch(pack_size<T>) numbers
  bool accumulate;

  [[gnu::noinline]] void run() const {
    bool first = true;
    for (std::size_t y = 0; y < S.out_height(); y += blocks::rows, first = false) {
      for (std::size_t c = 0; c < S.channels; ++c) pack_inputs(c, y);
      for_each_tile<S.filters, filters>([&]<std::size_t Rows>(std::size_t f) {
        for (std::size_t c = 0; c < S.channels; ++c)
          for (std::size_t ky = 0; ky < S.kernel; ky += tap_rows)
            sum_tile<Rows>(f, c, ky, y, first);
      });
    }
    for (std::size_t i = 0; i < S.weights(); ++i) {
      T &to = weight_gradient[i];
      to = (accumulate ? to : T{0}) + sum<T>(load(sums() + i * pack_size<T>));
    }
  }

 private:
  T *sums() const { return scratch + blocks::packed; }

  /// Rows of channel c under the taps of outputs y to y + blocks::rows, zeros where there are none.
  void pack_inputs(std::size_t c, std::size_t y) const {
    T *to = scratch + c * blocks::in_rows * row_numbers;
    for (std::size_t i = 0; i < blocks::in_rows; ++i) {
      std::size_t const row = y * S.stride + i - S.padding;  // huge where it would be negative
      T const *const from =
          row < S.height ? in + (c * S.in_plane() + row * S.width) * Lanes : nullptr;
      to = pack_row<packed_row, Lanes, Lanes>(from, S.width, to);
    }
  }

  /// Filters f to f + Rows, taps of rows ky on, outputs y on. GCC must not know the step: it would
  /// keep values of one step for the next and run out of registers.
  template <std::size_t Rows>
#ifndef __clang__
  [[gnu::noipa]]
#endif
  [[gnu::noinline]] void
  sum_tile(std::size_t f, std::size_t c, std::size_t ky, std::size_t y, bool first,
           std::size_t step = pack_size<T>) const {
    constexpr std::size_t filter_stride = S.channels * S.taps() * pack_size<T>;
    T *const to = sums() + ((f * S.channels + c) * S.taps() + ky * S.kernel) * pack_size<T>;
    pack<T> sums[Rows][taps];
#pragma GCC unroll 16
    for (std::size_t r = 0; r < Rows; ++r)
#pragma GCC unroll 32
      for (std::size_t k = 0; k < taps; ++k)
        sums[r][k] = first ? pack<T>{} : load(to + r * filter_stride + k * pack_size<T>);
    T const *g = out_gradient + f * S.out_plane() * Lanes + y * S.out_width() * Lanes;
    T const *from = scratch + c * blocks::in_rows * row_numbers + ky * row_numbers;
    for (std::size_t row = y; row < std::min(y + blocks::rows, S.out_height()); ++row) {
      for (std::size_t x = 0; x < S.out_width() * Lanes; x += step)
        add<Rows>(sums, g + x, from + x);
      g += S.out_width() * Lanes;
      from += S.stride * row_numbers;
    }
#pragma GCC unroll 16
    for (std::size_t r = 0; r < Rows; ++r)
#pragma GCC unroll 32
      for (std::size_t k = 0; k < taps; ++k)
        store(to + r * filter_stride + k * pack_size<T>, sums[r][k]);
  }

  /// sums(filter, tap) += g(filter) * from(tap), lane by lane
  template <std::size_t Rows>
  static void add(pack<T> (&sums)[Rows][taps], T const *g, T const *from) {
    constexpr op::convolution_axis across = op::forward_axis(S, S.out_width());
    pack<T> gradient[Rows];
#pragma GCC unroll 16
    for (std::size_t r = 0; r < Rows; ++r) gradient[r] = load(g + r * S.out_plane() * Lanes);
#pragma GCC unroll 32
    for (std::size_t k = 0; k < taps; ++k) {
      pack<T> const value = load_once(from + k / S.kernel * row_numbers +
                                      packed_row::first(across, k % S.kernel) * Lanes);
#pragma GCC unroll 16
      for (std::size_t r = 0; r < Rows; ++r)
        sums[r][k] = multiply_add<T>(gradient[r], value, sums[r][k]);
    }
  }
};

}  // namespace gossip::host
