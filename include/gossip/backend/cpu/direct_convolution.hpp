// Direct convolutions of stride 1 without padding on one core: no im2col, no packing. Samples are
// the innermost dimension, so a tile of (filters x samples) stays in registers while the taps of
// the kernel stream by. For few channels: planes in work must stay in the cache.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>

#include <gossip/backend/cpu/pack.hpp>
#include <gossip/backend/cpu/tile.hpp>
#include <gossip/op/convolution_shape.hpp>

namespace gossip::host {

/// Offsets of a patch's taps from its first value.
template <convolution_shape S, std::size_t Lanes>
inline constexpr auto patch_offsets = [] {
  std::array<std::uint32_t, S.channels * S.taps()> at{};
  for (std::size_t c = 0, k = 0; c < S.channels; ++c)
    for (std::size_t y = 0; y < S.kernel; ++y)
      for (std::size_t x = 0; x < S.kernel; ++x)
        at[k++] = static_cast<std::uint32_t>((c * S.in_plane() + y * S.width + x) * Lanes);
  return at;
}();

/// Stands for who takes the planes of a few filters at a time. `in_place` says that nobody else
/// wants them: then those of all filters lie in turn where those of the first ones do, in the
/// cache.
struct no_epilogue {
  static constexpr bool in_place = false;
  void operator()(std::size_t, std::size_t) const {}
};

/// in (c, h, w, lanes), weights (f, c, k, k), bias (f) or null -> out (f, h', w', lanes);
/// then(first, count): those of these filters are there.
template <convolution_shape S, std::size_t Lanes, class T, class Then = no_epilogue>
[[gnu::noinline]] void direct_convolve(T const *weights, T const *bias, T const *in, T *out,
                                       Then then = {}) {
  using shape = tile_shape<T, Lanes>;
  constexpr std::size_t patch = S.channels * S.taps();
  for_each_tile<S.filters, shape::rows>([&]<std::size_t Rows>(std::size_t f) {
    T *const planes = out + (then.in_place ? 0 : f) * S.out_plane() * Lanes;
    for (std::size_t y = 0; y < S.out_height(); ++y)
      for (std::size_t x = 0; x < S.out_width(); ++x)
        for (std::size_t p = 0; p < Lanes; p += shape::packs * pack_size<T>) {
          tile<T, Rows, shape::packs> sums;
          sums.fill(bias ? bias + f : nullptr);
          T const *const corner = in + (y * S.width + x) * Lanes + p;
          for (std::size_t k = 0; k < patch; ++k)
            sums.add(weights + f * patch + k, patch, corner + patch_offsets<S, Lanes>[k]);
          sums.write(planes + (y * S.out_width() + x) * Lanes + p, S.out_plane() * Lanes);
        }
    then(f, Rows);
  });
}

/// The gradient of the input: weights (f, c, k, k), out_gradient (f, h', w', lanes)
/// -> in_gradient (c, h, w, lanes)
template <convolution_shape S, std::size_t Lanes, class T>
[[gnu::noinline]] void direct_convolve_back(T const *weights, T const *out_gradient,
                                            T *in_gradient) {
  using shape = tile_shape<T, Lanes>;
  constexpr std::size_t patch = S.channels * S.taps();
  auto const taps = [](std::size_t at, std::size_t outputs) {  // those whose output exists
    return std::pair{at + 1 > outputs ? at + 1 - outputs : 0, std::min(at, S.kernel - 1)};
  };
  for_each_tile<S.channels, shape::rows>([&]<std::size_t Rows>(std::size_t c) {
    for (std::size_t y = 0; y < S.height; ++y)
      for (std::size_t x = 0; x < S.width; ++x)
        for (std::size_t p = 0; p < Lanes; p += shape::packs * pack_size<T>) {
          auto const [y0, y1] = taps(y, S.out_height());
          auto const [x0, x1] = taps(x, S.out_width());
          tile<T, Rows, shape::packs> sums;
          sums.fill(nullptr);
          for (std::size_t f = 0; f < S.filters; ++f)
            for (std::size_t ky = y0; ky <= y1; ++ky) {
              T const *const w = weights + f * patch + c * S.taps() + ky * S.kernel;
              T const *const g =
                  out_gradient + p + (f * S.out_plane() + (y - ky) * S.out_width() + x) * Lanes;
              for (std::size_t kx = x0; kx <= x1; ++kx) sums.add(w + kx, S.taps(), g - kx * Lanes);
            }
          sums.write(in_gradient + (c * S.in_plane() + y * S.width + x) * Lanes + p,
                     S.in_plane() * Lanes);
        }
  });
}

/// Filters whose weight gradients for one row of taps fit the registers.
template <convolution_shape S>
inline constexpr std::size_t gradient_rows =
    std::max<std::size_t>(1, (registers - 1) / (S.kernel + 1));

/// The gradient of the weights, added up over positions and lanes; added to what is there where
/// `accumulate`. in (c, h, w, lanes), out_gradient (f, h', w', lanes) -> (f, c, k, k);
/// before(first, count): the gradient of the outputs of these filters is wanted.
template <convolution_shape S, std::size_t Lanes, class T, class Before = no_epilogue>
[[gnu::noinline]] void direct_convolve_weights(T const *in, T const *out_gradient,
                                               T *weight_gradient, bool accumulate,
                                               Before before = {}) {
  for_each_tile<S.filters, gradient_rows<S>>([&]<std::size_t Rows>(std::size_t f) {
    before(f, Rows);
    T const *const planes = out_gradient + (before.in_place ? 0 : f) * S.out_plane() * Lanes;
    for (std::size_t c = 0; c < S.channels; ++c)
      for (std::size_t ky = 0; ky < S.kernel; ++ky) {
        pack<T> sums[Rows][S.kernel] = {};
        for (std::size_t y = 0; y < S.out_height(); ++y) {
          T const *const g = planes + y * S.out_width() * Lanes;
          T const *const i = in + (c * S.in_plane() + (y + ky) * S.width) * Lanes;
          for (std::size_t x = 0; x < S.out_width() * Lanes; x += pack_size<T>) {
            pack<T> gradient[Rows];
#pragma GCC unroll 16
            for (std::size_t r = 0; r < Rows; ++r)
              gradient[r] = load(g + r * S.out_plane() * Lanes + x);
#pragma GCC unroll 16
            for (std::size_t kx = 0; kx < S.kernel; ++kx) {
              pack<T> const value = load_once(i + x + kx * Lanes);
#pragma GCC unroll 16
              for (std::size_t r = 0; r < Rows; ++r)
                sums[r][kx] = multiply_add<T>(gradient[r], value, sums[r][kx]);
            }
          }
        }
        for (std::size_t r = 0; r < Rows; ++r)
          for (std::size_t kx = 0; kx < S.kernel; ++kx) {
            T &to = weight_gradient[((f + r) * S.channels + c) * S.taps() + ky * S.kernel + kx];
            to = (accumulate ? to : T{0}) + sum<T>(sums[r][kx]);
          }
      }
  });
}

}  // namespace gossip::host
