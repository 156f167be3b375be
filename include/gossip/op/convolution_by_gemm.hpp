// Convolution as a matrix product, for workers whose products are quick. Every input is copied to
// each place that a tap meets it at, (channels, kernel, kernel) rows of one number for each output
// of a plane and each lane.
#pragma once

#include <cstddef>

#include <gossip/op/convolution.hpp>
#include <gossip/op/convolution_shape.hpp>
#include <gossip/op/element.hpp>
#include <gossip/op/gemm_shape.hpp>
#include <gossip/op/lanes.hpp>

namespace gossip::op {

/// Whether the input itself is that matrix.
template <convolution_shape S>
inline constexpr bool is_pointwise = S.kernel == 1 && S.stride == 1 && S.padding == 0;

/// Numbers a lane of that matrix, where it is needed.
template <convolution_shape S>
inline constexpr std::size_t column_scratch =
    is_pointwise<S> ? 0 : S.channels * (S.taps() * S.out_plane());

/// columns (c, ky, kx, y, x, lane); row counts (c, ky, kx, y), and one call goes along x.
template <convolution_shape S, class T>
struct copy_columns {
  strided<T const> in;
  strided<T> columns;
  std::size_t lanes;

  constexpr void operator()(std::size_t j, std::size_t row, std::size_t lane) const {
    std::size_t const y = row % S.out_height();
    std::size_t const tap = row / S.out_height() % S.taps();
    std::size_t const c = row / S.out_height() / S.taps();
    std::size_t const in_y = y * S.stride + tap / S.kernel - S.padding;  // huge if it were negative
    std::size_t const first_x = tap % S.kernel - S.padding;
    bool const padded = in_y >= S.height;
    std::size_t const in_row = c * S.height + (padded ? 0 : in_y);
    T const *const from = in.at(j) + in_row * S.width * lanes + lane;
    T *const to = columns.at(j) + row * S.out_width() * lanes + lane;
    for (std::size_t x = 0; x < S.out_width(); ++x) {
      std::size_t const in_x = x * S.stride + first_x;
      to[x * lanes] = padded || in_x >= S.width ? T{0} : from[in_x * lanes];
    }
  }
};

/// in_gradient (c, y, x, lane) = the sum of the columns that were copies of it; row counts (c, y,
/// x).
template <convolution_shape S, class T>
struct add_columns {
  strided<T const> columns;
  strided<T> in_gradient;
  std::size_t lanes;

  constexpr void operator()(std::size_t j, std::size_t row, std::size_t lane) const {
    std::size_t const x = row % S.width + S.padding, y = row / S.width % S.height + S.padding;
    std::size_t const c = row / S.in_plane();
    T const *const from = columns.at(j) + c * S.taps() * S.out_plane() * lanes + lane;
    T sum{0};
    for (std::size_t ky = y % S.stride; ky < S.kernel && ky <= y; ky += S.stride)
      for (std::size_t kx = x % S.stride; kx < S.kernel && kx <= x; kx += S.stride) {
        std::size_t const out_y = (y - ky) / S.stride, out_x = (x - kx) / S.stride;
        if (out_y >= S.out_height() || out_x >= S.out_width()) continue;
        std::size_t const place = out_y * S.out_width() + out_x;
        sum += from[((ky * S.kernel + kx) * S.out_plane() + place) * lanes];
      }
    in_gradient.at(j)[row * lanes + lane] = sum;
  }
};

/// The matrix of an input, made in scratch where it is not the input itself.
template <convolution_shape S, class T, class Worker>
strided<T const> columns_of(Worker const &worker, std::size_t k, strided<T const> in,
                            strided<T> scratch, std::size_t lanes) {
  if constexpr (is_pointwise<S>) return in;
  worker.for_each(k, S.channels * S.taps() * S.out_height(), lanes,
                  copy_columns<S, T>{in, scratch, lanes});
  return scratch;
}

template <class Worker, convolution_shape S, class T>
void by_gemm(Worker const &worker, std::size_t k, convolve<S, T> const &f) {
  constexpr std::size_t terms = S.channels * S.taps();
  std::size_t const places = S.out_plane() * f.lanes;
  auto const columns = columns_of<S>(worker, k, f.in, f.scratch, f.lanes);
  if (f.bias.data) worker.for_each(k, S.filters, places, fill_bias<T>{f.bias, f.out, places});
  worker.template gemm<T>(k, {false, false, S.filters, places, terms}, {f.weights, terms},
                          {columns, places}, f.bias.data ? T{1} : T{0}, {f.out, places});
}

template <class Worker, convolution_shape S, class T>
void by_gemm(Worker const &worker, std::size_t k, convolve_back<S, T> const &f) {
  constexpr std::size_t terms = S.channels * S.taps();
  std::size_t const places = S.out_plane() * f.lanes;
  strided<T> const columns = is_pointwise<S> ? f.in_gradient : f.scratch;
  worker.template gemm<T>(k, {true, false, terms, places, S.filters}, {f.weights, terms},
                          {f.out_gradient, places}, T{0}, {columns, places});
  if constexpr (!is_pointwise<S>)
    worker.for_each(k, S.channels * S.in_plane(), f.lanes,
                    add_columns<S, T>{columns, f.in_gradient, f.lanes});
}

template <class Worker, convolution_shape S, class T>
void by_gemm(Worker const &worker, std::size_t k, convolve_weights<S, T> const &f) {
  constexpr std::size_t terms = S.channels * S.taps();
  std::size_t const places = S.out_plane() * f.lanes;
  auto const columns = columns_of<S>(worker, k, f.in, f.scratch, f.lanes);
  worker.template gemm<T>(k, {false, true, S.filters, terms, places}, {f.out_gradient, places},
                          {columns, places}, f.accumulate ? T{1} : T{0},
                          {f.weight_gradient, terms});
}

}  // namespace gossip::op
