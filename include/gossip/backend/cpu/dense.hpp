// The products of a fully connected layer on one core: weights are read once and as they lie, no
// operand is packed.
#pragma once

#include <algorithm>
#include <cstddef>

#include <gossip/backend/cpu/ahead.hpp>
#include <gossip/backend/cpu/pack.hpp>
#include <gossip/backend/cpu/tile.hpp>
#include <gossip/op/dense_shape.hpp>

namespace gossip::host {

/// Whether these products beat BLAS, as measured: inputs of one chunk must leave room in a core's
/// cache, where BLAS would cut better, and units must outweigh a transposition of the inputs.
template <dense_shape S, class T>
inline constexpr bool direct_dense =
    S.inputs * chunk_samples * sizeof(T) <= 512 * 1024 && S.units >= 32;

/// weights (u, i), bias (u), in (i, lanes) -> out (u, lanes); asks for what is ahead.
template <dense_shape S, std::size_t Lanes, class T>
[[gnu::noinline]] void dense(T const *weights, T const *bias, T const *in, T *out,
                             memory_ahead &ahead) {
  memory_ahead rest = ahead;
  using shape = tile_shape<T, Lanes>;
  for_each_tile<S.units, shape::rows>([&]<std::size_t Rows>(std::size_t u) {
    for (std::size_t p = 0; p < Lanes; p += shape::packs * pack_size<T>) {
      tile<T, Rows, shape::packs> sums;
      sums.fill(bias + u);
      for (std::size_t i = 0; i < S.inputs; ++i) {
        __builtin_prefetch(weights + (u + Rows) * S.inputs + i * Rows);  // of the next tile
        rest.ask();
        sums.add(weights + u * S.inputs + i, S.inputs, in + i * Lanes + p);
      }
      sums.write(out + u * Lanes + p, Lanes);
    }
  });
  ahead = rest;
}

/// weights (u, i), out_gradient (u, lanes) -> in_gradient (i, lanes)
template <dense_shape S, std::size_t Lanes, class T>
[[gnu::noinline]] void dense_back(T const *weights, T const *out_gradient, T *in_gradient) {
  using shape = tile_shape<T, Lanes>;
  constexpr std::size_t line = cache_line / sizeof(T);
  for_each_tile<S.inputs, shape::rows>([&]<std::size_t Rows>(std::size_t i) {
    for (std::size_t p = 0; p < Lanes; p += shape::packs * pack_size<T>) {
      tile<T, Rows, shape::packs> sums;
      sums.fill(nullptr);
      for (std::size_t u = 0; u < S.units; ++u) {
        __builtin_prefetch(weights + u * S.inputs + i + line, 0, 2);  // of later tiles, to L2
        sums.add(weights + u * S.inputs + i, 1, out_gradient + u * Lanes + p);
      }
      sums.write(in_gradient + i * Lanes + p, Lanes);
    }
  });
}

/// Numbers from one sample to the next in a sample-major copy: whole registers.
template <dense_shape S, class T>
inline constexpr std::size_t sample_stride =
    (S.inputs + pack_size<T> - 1) / pack_size<T> * pack_size<T>;

/// Units first to first + Rows of the weight gradient over packs of inputs from i on.
template <dense_shape S, std::size_t Lanes, std::size_t Rows, std::size_t Packs, class T>
void dense_weight_tile(T const *samples, std::size_t stride, T const *out_gradient, T *gradient,
                       std::size_t i, bool accumulate) {
  tile<T, Rows, Packs> sums;
  sums.fill(nullptr);
  for (std::size_t l = 0; l < Lanes; ++l)
    sums.add(out_gradient + l, Lanes, samples + l * stride + i);
  if (i + Packs * pack_size<T> <= S.inputs && !accumulate)
    return sums.write(gradient + i, S.inputs);
  T values[Rows][Packs * pack_size<T>];
  sums.write(values[0], Packs * pack_size<T>);
  std::size_t const width = std::min(Packs * pack_size<T>, S.inputs - i);
  for (std::size_t r = 0; r < Rows; ++r)
    for (std::size_t c = 0; c < width; ++c) {
      T &to = gradient[r * S.inputs + i + c];
      to = (accumulate ? to : T{0}) + values[r][c];
    }
}

/// samples (lanes, i) at the given stride, readable to sample_stride; out_gradient (u, lanes)
/// -> weight_gradient (u, i), added to what is there where `accumulate`.
template <dense_shape S, std::size_t Lanes, class T>
[[gnu::noinline]] void dense_weights(T const *samples, std::size_t stride, T const *out_gradient,
                                     T *weight_gradient, bool accumulate) {
  using shape = tile_shape<T, 4 * pack_size<T>>;
  constexpr std::size_t wide = shape::packs * pack_size<T>;
  for_each_tile<S.units, shape::rows>([&]<std::size_t Rows>(std::size_t u) {
    T const *const g = out_gradient + u * Lanes;
    T *const to = weight_gradient + u * S.inputs;
    std::size_t i = 0;
    for (; i + wide <= S.inputs; i += wide)
      dense_weight_tile<S, Lanes, Rows, shape::packs>(samples, stride, g, to, i, accumulate);
    for (; i < S.inputs; i += pack_size<T>)
      dense_weight_tile<S, Lanes, Rows, 1>(samples, stride, g, to, i, accumulate);
  });
}

}  // namespace gossip::host
