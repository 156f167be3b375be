// Convolution one value at a time: the reference of the backends' faster kernels, and the code of
// devices without kernels of their own.
#pragma once

#include <cstddef>

#include <gossip/op/convolution_shape.hpp>
#include <gossip/op/lanes.hpp>

namespace gossip::op {

/// out (f, y, x, lane); row counts (f, y, x). A bias without data is none. scratch is for kernels
/// of a backend.
template <convolution_shape S, class T>
struct convolve {
  strided<T const> weights, bias, in;
  strided<T> out, scratch;
  std::size_t lanes;

  constexpr void operator()(std::size_t j, std::size_t row, std::size_t lane) const {
    std::size_t const x = row % S.out_width();
    std::size_t const y = row / S.out_width() % S.out_height();
    std::size_t const f = row / S.out_plane();
    T sum = bias.data ? bias.at(j)[f] : T{0};
    for (std::size_t c = 0; c < S.channels; ++c)
      for (std::size_t ky = 0; ky < S.kernel; ++ky)
        for (std::size_t kx = 0; kx < S.kernel; ++kx) {
          std::size_t const in_y =
              y * S.stride + ky - S.padding;  // huge where it would be negative
          std::size_t const in_x = x * S.stride + kx - S.padding;
          if (in_y >= S.height || in_x >= S.width) continue;
          sum += weights.at(j)[((f * S.channels + c) * S.kernel + ky) * S.kernel + kx] *
                 in.at(j)[(c * S.in_plane() + in_y * S.width + in_x) * lanes + lane];
        }
    out.at(j)[row * lanes + lane] = sum;
  }
};

/// in_gradient (c, y, x, lane); row counts (c, y, x)
template <convolution_shape S, class T>
struct convolve_back {
  strided<T const> weights, out_gradient;
  strided<T> in_gradient, scratch;
  std::size_t lanes;

  constexpr void operator()(std::size_t j, std::size_t row, std::size_t lane) const {
    std::size_t const x = row % S.width + S.padding;
    std::size_t const y = row / S.width % S.height + S.padding;
    std::size_t const c = row / S.in_plane();
    T sum{0};
    for (std::size_t f = 0; f < S.filters; ++f)
      for (std::size_t ky = y % S.stride; ky < S.kernel && ky <= y; ky += S.stride)
        for (std::size_t kx = x % S.stride; kx < S.kernel && kx <= x; kx += S.stride) {
          std::size_t const out_y = (y - ky) / S.stride, out_x = (x - kx) / S.stride;
          if (out_y >= S.out_height() || out_x >= S.out_width()) continue;
          std::size_t const at = f * S.out_plane() + out_y * S.out_width() + out_x;
          sum += weights.at(j)[((f * S.channels + c) * S.kernel + ky) * S.kernel + kx] *
                 out_gradient.at(j)[at * lanes + lane];
        }
    in_gradient.at(j)[row * lanes + lane] = sum;
  }
};

/// weight_gradient (f, c, ky, kx); row counts all four, one call sums over positions and lanes
template <convolution_shape S, class T>
struct convolve_weights {
  strided<T const> in, out_gradient;
  strided<T> weight_gradient, scratch;
  std::size_t lanes;
  bool accumulate;

  constexpr void operator()(std::size_t j, std::size_t row, std::size_t) const {
    std::size_t const kx = row % S.kernel;
    std::size_t const ky = row / S.kernel % S.kernel;
    std::size_t const c = row / S.taps() % S.channels;
    std::size_t const f = row / S.taps() / S.channels;
    T sum{0};
    for (std::size_t y = 0; y < S.out_height(); ++y)
      for (std::size_t x = 0; x < S.out_width(); ++x) {
        std::size_t const in_y = y * S.stride + ky - S.padding;
        std::size_t const in_x = x * S.stride + kx - S.padding;
        if (in_y >= S.height || in_x >= S.width) continue;
        T const *const g = out_gradient.at(j) + (f * S.out_plane() + y * S.out_width() + x) * lanes;
        T const *const i = in.at(j) + (c * S.in_plane() + in_y * S.width + in_x) * lanes;
        for (std::size_t l = 0; l < lanes; ++l) sum += g[l] * i[l];
      }
    T &to = weight_gradient.at(j)[row];
    to = (accumulate ? to : T{0}) + sum;
  }
};

}  // namespace gossip::op
