// The products of a dense layer of few units that reads samples as they are stored: features are
// made, written and multiplied in one go, while they are in registers.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <utility>

#include <gossip/backend/cpu/ahead.hpp>
#include <gossip/backend/cpu/pack.hpp>
#include <gossip/backend/cpu/tile.hpp>
#include <gossip/backend/cpu/transpose.hpp>
#include <gossip/op/dense_shape.hpp>

namespace gossip::host {

/// Whether a layer's sums for a pair of samples fit the registers, and samples are whole packs.
template <dense_shape S, class T>
inline constexpr bool narrow_dense = S.units <= 12 && S.inputs % pack_size<T> == 0;

namespace detail {

/// Bytes as numbers.
template <class T>
inline pack<T> load_bytes(std::uint8_t const *from) {
#if defined(__AVX512F__)
  if constexpr (sizeof(T) == 4) {
    __m128i bytes;
    std::memcpy(&bytes, from, sizeof bytes);
    typedef std::int32_t numbers __attribute__((vector_size(pack_bytes)));
    auto const whole = __builtin_bit_cast(numbers, _mm512_maskz_cvtepu8_epi32(0xFFFF, bytes));
    return __builtin_convertvector(whole, pack<T>);
  }
#endif
  pack<T> value{};
  for (std::size_t i = 0; i < pack_size<T>; ++i) value[i] = static_cast<T>(from[i]);
  return value;
}

/// packs[0]: in place i the sum of pack i, halves added to halves.
template <std::size_t Step = 1, class T>
inline void add_across(pack<T> *packs, std::size_t count = pack_size<T>) {
  if constexpr (Step < pack_size<T>) {
#pragma GCC unroll 16
    for (std::size_t i = 0; i < count / 2; ++i) {
      pack<T> a = packs[2 * i], b = packs[2 * i + 1];
      exchange<Step, T>(a, b, std::make_index_sequence<pack_size<T>>{});
      packs[i] = a + b;
    }
    add_across<2 * Step, T>(packs, count / 2);
  }
}

}  // namespace detail

/// Samples (bytes) -> in (lanes, i) = byte * scale + shift, out (u, lanes) = weights x in + bias;
/// lanes beyond the samples get zeros. Asks for the samples to come and for what is ahead.
template <dense_shape S, std::size_t Lanes, class T>
[[gnu::noinline]] void dense_of_bytes(T const *weights, T const *bias,
                                      std::span<std::uint8_t const *const> samples, float scale,
                                      float shift, T *in, T *out, memory_ahead &ahead) {
  memory_ahead rest = ahead;
  constexpr std::size_t n = pack_size<T>, pair = registers >= 32 ? 2 : 1;
  constexpr std::size_t early = 8;  // samples that are asked for before their turn
  pack<T> const factor = broadcast(static_cast<T>(scale)),
                offset = broadcast(static_cast<T>(shift));
  for (std::size_t a = 0; a < std::min(early, samples.size()); ++a)
    for (std::size_t i = 0; i < S.inputs; i += cache_line) __builtin_prefetch(samples[a] + i, 0, 1);
  for (std::size_t l = 0; l < Lanes; l += n) {
    pack<T> parts[S.units][n];
    if (l + n > samples.size()) std::memset(parts, 0, sizeof parts);
    for (std::size_t s = 0; s < n; s += pair) {
      std::size_t const lane = l + s;
      T *const x = in + lane * S.inputs;
      if (lane + pair > samples.size()) {
        std::memset(x, 0, pair * S.inputs * sizeof(T));
        if (lane >= samples.size()) continue;
      }
      bool const both = lane + pair <= samples.size();  // else the last is taken twice
      std::uint8_t const *const bytes[2] = {samples[lane], samples[lane + (both ? pair - 1 : 0)]};
      std::size_t const last = samples.size() - 1;
      std::uint8_t const *const coming[2] = {samples[std::min(lane + early, last)],
                                             samples[std::min(lane + early + pair - 1, last)]};
      pack<T> sums[S.units][pair] = {};
      for (std::size_t i = 0; i < S.inputs; i += n) {
        rest.ask();
        if (i % cache_line == 0)  // a line at a time: many at once hold up the products
          for (std::size_t a = 0; a < pair; ++a) __builtin_prefetch(coming[a] + i, 0, 1);
        pack<T> value[pair];
#pragma GCC unroll 2
        for (std::size_t a = 0; a < pair; ++a) {
          value[a] = detail::load_bytes<T>(bytes[a] + i) * factor + offset;
          if (a == 0 || both) store(x + a * S.inputs + i, value[a]);
        }
#pragma GCC unroll 16
        for (std::size_t u = 0; u < S.units; ++u) {
          pack<T> weight = load(weights + u * S.inputs + i);
#if defined(__x86_64__)
          asm("" : "+v"(weight));  // one load for both products
#endif
#pragma GCC unroll 2
          for (std::size_t a = 0; a < pair; ++a)
            sums[u][a] = multiply_add<T>(weight, value[a], sums[u][a]);
        }
      }
#pragma GCC unroll 16
      for (std::size_t u = 0; u < S.units; ++u)
#pragma GCC unroll 2
        for (std::size_t a = 0; a < pair; ++a)
          if (a == 0 || both) parts[u][s + a] = sums[u][a];
    }
    for (std::size_t u = 0; u < S.units; ++u) {
      detail::add_across<1, T>(parts[u]);
      store(out + u * Lanes + l, parts[u][0] + broadcast(bias[u]));
    }
  }
  ahead = rest;
}

/// samples (lanes, i), out_gradient (u, lanes) -> weight_gradient (u, i), added to what is there
/// where `accumulate`: all units at once, so that samples are read once.
template <dense_shape S, std::size_t Lanes, class T>
[[gnu::noinline]] void narrow_dense_weights(T const *samples, T const *out_gradient,
                                            T *weight_gradient, bool accumulate) {
  constexpr std::size_t n = pack_size<T>, wide = registers >= 32 ? 2 : 1;
  auto const columns = [&]<std::size_t Packs>(std::size_t i) {
    tile<T, S.units, Packs> sums;
    sums.fill(nullptr);
    for (std::size_t l = 0; l < Lanes; ++l)
      sums.add(out_gradient + l, Lanes, samples + l * S.inputs + i);
    if (accumulate)
      for (std::size_t u = 0; u < S.units; ++u)
        for (std::size_t p = 0; p < Packs; ++p)
          sums.sum[u][p] = load(weight_gradient + u * S.inputs + i + p * n) + sums.sum[u][p];
    sums.write(weight_gradient + i, S.inputs);
  };
  std::size_t i = 0;
  for (; i + wide * n <= S.inputs; i += wide * n) columns.template operator()<wide>(i);
  for (; i < S.inputs; i += n) columns.template operator()<1>(i);
}

}  // namespace gossip::host
