// Rounding to the formats of 16 bits by the processor's own conversions, where it has them, and
// with the bits of these conversions where it has not.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include <gossip/backend/cpu/pack.hpp>
#include <gossip/core/float16.hpp>

namespace gossip::host {

/// The nearest number of the format, as a processor's conversion has it: gossip::rounded, but that
/// to bf16 numbers below the normal ones become zeros, for which they count where denormals are
/// flushed, and what is not a number keeps its first digits and is quiet.
template <class Format, class T>
constexpr T converted(T x) {
  T const near = rounded<Format>(x);
  if constexpr (std::is_same_v<Format, bf16> && std::is_same_v<T, float>) {
    std::uint32_t const bits = std::bit_cast<std::uint32_t>(x), size = bits & 0x7fff'ffffU;
    std::uint32_t const normal = gossip::detail::either(size < 0x0080'0000U, bits ^ size,
                                                        std::bit_cast<std::uint32_t>(near));
    std::uint32_t const quiet = (bits & 0xffff'0000U) | 0x0040'0000U;
    return std::bit_cast<float>(gossip::detail::either(size > 0x7f80'0000U, quiet, normal));
  } else {
    return near;
  }
}

/// Whether the processor compiled for converts packs of T to the format and back.
template <class Format, class T>
inline constexpr bool converts_packs = false;

#if defined(__AVX512F__)

template <>
inline constexpr bool converts_packs<fp16, float> = true;

/// Rounds a pack; false, and nothing done, where one of the numbers is not a number, whose digits
/// the conversion would change.
inline bool convert_pack(fp16, float *numbers) {
  __m512 const x = _mm512_loadu_ps(numbers);
  if (_mm512_cmp_ps_mask(x, x, _CMP_UNORD_Q) != 0) return false;
  __m256i const halves =
      _mm512_maskz_cvtps_ph(0xFFFF, x, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
  _mm512_storeu_ps(numbers, _mm512_maskz_cvtph_ps(0xFFFF, halves));
  return true;
}

#elif defined(__AVX2__) && defined(__FMA__) && defined(__F16C__)

template <>
inline constexpr bool converts_packs<fp16, float> = true;

/// The same.
inline bool convert_pack(fp16, float *numbers) {
  __m256 const x = _mm256_loadu_ps(numbers);
  if (_mm256_movemask_ps(_mm256_cmp_ps(x, x, _CMP_UNORD_Q)) != 0) return false;
  __m128i const halves = _mm256_cvtps_ph(x, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
  _mm256_storeu_ps(numbers, _mm256_cvtph_ps(halves));
  return true;
}

#endif

#if defined(__AVX512BF16__)

template <>
inline constexpr bool converts_packs<bf16, float> = true;

/// Rounds any pack.
inline bool convert_pack(bf16, float *numbers) {
  auto const halves =
      std::bit_cast<__m256i>(_mm512_maskz_cvtneps_pbh(0xFFFF, _mm512_loadu_ps(numbers)));
  __m512i const places = _mm512_maskz_cvtepu16_epi32(0xFFFF, halves);
  _mm512_storeu_ps(numbers, _mm512_castsi512_ps(_mm512_maskz_slli_epi32(0xFFFF, places, 16)));
  return true;
}

#endif

/// Every number becomes what `converted` says.
template <class Format, class T>
[[gnu::noinline]] void round_numbers(T *numbers, std::size_t count) {
  constexpr std::size_t group = pack_size<T>;
  auto const one_by_one = [](T *from, std::size_t n) {
#ifndef __clang__
#pragma GCC ivdep
#endif
    for (std::size_t i = 0; i < n; ++i) from[i] = converted<Format>(from[i]);
  };
  std::size_t whole = 0;
  if constexpr (converts_packs<Format, T>) {
    whole = count / group * group;
    for (std::size_t i = 0; i < whole; i += group)
      if (!convert_pack(Format{}, numbers + i)) one_by_one(numbers + i, group);
  }
  one_by_one(numbers + whole, count - whole);
}

}  // namespace gossip::host
