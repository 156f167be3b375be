// The gradient of a convolution's weights on one core, for many channels: sources are transposed so
// that channels are innermost, then a tile of (filters x channels) adds up outer products over
// positions and samples, one tap after the other.
#pragma once

#include <algorithm>
#include <cstddef>

#include <gossip/backend/cpu/pack.hpp>
#include <gossip/backend/cpu/tile.hpp>
#include <gossip/backend/cpu/transpose.hpp>
#include <gossip/op/convolution_blocks.hpp>
#include <gossip/op/convolution_shape.hpp>

namespace gossip::host {

/// in (c, y, x, lanes), out_gradient (f, y, x, lanes) -> weight_gradient (f, c, ky, kx), added to
/// what is there where `accumulate`.
template <convolution_shape S, std::size_t Lanes, class T>
class outer_products {
  using blocks = op::outer_product_blocks<S, Lanes>;
  static constexpr std::size_t packs = 2;
  static constexpr std::size_t channels = packs * pack_size<T>;  // in work
  static constexpr std::size_t tile_rows = (registers - packs - 1) / packs;

 public:
  T const *in, *out_gradient;
  T *weight_gradient, *scratch;  // blocks::scratch(channels) numbers
  bool accumulate;

  [[gnu::noinline]] void run() const {
    for (std::size_t c = 0; c < S.channels; c += channels) {
      std::size_t const count = std::min(channels, S.channels - c);
      bool first = true;
      for (std::size_t lane = 0; lane < Lanes; lane += blocks::lanes)
        for (std::size_t y = 0; y < S.out_height(); y += blocks::rows, first = false) {
          in_rows const rows = rows_for(y);
          transpose_inputs(rows, lane, c, count);
          for_each_tile<S.filters, tile_rows>([&]<std::size_t Rows>(std::size_t f) {
            for (std::size_t tap = 0; tap < S.taps(); ++tap)
              sum_tile<Rows>(rows, lane, f, tap, first);
          });
        }
      hand_over(c, count);
    }
  }

 private:
  /// Outputs y to y_end, and inputs first to last that they meet.
  struct in_rows {
    std::size_t y, y_end, first, last;
  };
  static in_rows rows_for(std::size_t y) {
    std::size_t const y_end = std::min(y + blocks::rows, S.out_height());
    std::size_t const first = std::max(y * S.stride, S.padding) - S.padding;
    std::size_t const end = std::max((y_end - 1) * S.stride + S.kernel, S.padding) - S.padding;
    return {y, y_end, std::min(first, S.height), std::min(end, S.height)};
  }

  T *sums() const { return scratch + blocks::transposed * channels; }

  /// in (c, y, x, lane) -> scratch (y, x, lane, c)
  void transpose_inputs(in_rows rows, std::size_t lane, std::size_t c, std::size_t count) const {
    constexpr std::size_t plane = S.in_plane() * Lanes;
    T const *const from = in + c * plane + rows.first * S.width * Lanes + lane;
    std::size_t const positions = (rows.last - rows.first) * S.width;
    if (count < channels) std::fill_n(scratch, positions * blocks::lanes * channels, T{0});
    if constexpr (blocks::lanes == Lanes) {
      transpose(from, count, positions * Lanes, plane, scratch, channels);
    } else {
      for (std::size_t x = 0; x < positions; ++x)
        transpose(from + x * Lanes, count, blocks::lanes, plane,
                  scratch + x * blocks::lanes * channels, channels);
    }
  }

  /// Outputs, along one axis, that meet an input with row or column k of the kernel.
  struct range {
    std::size_t first, last;
  };
  static range meeting(std::size_t k, std::size_t inputs, std::size_t outputs) {
    std::size_t const first = (S.padding - std::min(k, S.padding) + S.stride - 1) / S.stride;
    std::size_t const last =
        inputs + S.padding > k ? (inputs + S.padding - k + S.stride - 1) / S.stride : 0;
    return {first, std::min(last, outputs)};
  }

  template <std::size_t Rows>
  [[gnu::noinline]] void sum_tile(in_rows rows, std::size_t lane, std::size_t f, std::size_t tap,
                                  bool first) const {
    constexpr std::size_t plane = S.out_plane() * Lanes;
    std::size_t const ky = tap / S.kernel, kx = tap % S.kernel;
    range const across = meeting(kx, S.width, S.out_width());
    range down = meeting(ky, S.height, S.out_height());
    down = {std::max(down.first, rows.y), std::min(down.last, rows.y_end)};
    T *const to = sums() + (tap * S.filters + f) * channels;
    tile<T, Rows, packs> sums;
    if (first)
      sums.fill(nullptr);
    else
      sums.read(to, channels, {0, pack_size<T>});
    for (std::size_t y = down.first; y < down.last; ++y) {
      T const *g = out_gradient + f * plane + (y * S.out_width() + across.first) * Lanes + lane;
      T const *from = scratch + ((y * S.stride + ky - S.padding - rows.first) * S.width +
                                 across.first * S.stride + kx - S.padding) *
                                    blocks::lanes * channels;
      for (std::size_t x = across.first; x < across.last; ++x) {
#pragma GCC unroll 4
        for (std::size_t l = 0; l < blocks::lanes; ++l) sums.add(g + l, plane, from + l * channels);
        g += Lanes;
        from += S.stride * blocks::lanes * channels;
      }
    }
    sums.write(to, channels);
  }

  /// sums (tap, f, c) -> weight_gradient (f, c, tap)
  void hand_over(std::size_t c, std::size_t count) const {
    for (std::size_t f = 0; f < S.filters; ++f) {
      T *const to = weight_gradient + (f * S.channels + c) * S.taps();
      T const *const from = sums() + f * channels;
      for (std::size_t i = 0; i < count; ++i)
        for (std::size_t tap = 0; tap < S.taps(); ++tap) {
          T &at = to[i * S.taps() + tap];
          at = (accumulate ? at : T{0}) + from[tap * S.filters * channels + i];
        }
    }
  }
};

}  // namespace gossip::host
