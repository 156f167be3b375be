// Rounding to the formats of 16 bits: to fp16 by the processor's own conversions, to bf16 by whole
// numbers, which its conversion does not beat. The bits are those of gossip::rounded everywhere.
#pragma once

#include <cstddef>
#include <type_traits>

#include <gossip/backend/pack.hpp>
#include <gossip/core/float16.hpp>

namespace gossip::host {

/// Whether the processor compiled for converts packs of T to fp16 and back.
template <class T>
inline constexpr bool converts_packs = false;

#if defined(__AVX512F__)

template <>
inline constexpr bool converts_packs<float> = true;

/// Rounds a pack; false, and nothing done, where one of the numbers is not a number, whose digits
/// the conversion would change.
inline bool convert_pack(float *numbers) {
  __m512 const x = _mm512_loadu_ps(numbers);
  if (_mm512_cmp_ps_mask(x, x, _CMP_UNORD_Q) != 0) return false;
  __m256i const halves =
      _mm512_maskz_cvtps_ph(0xFFFF, x, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
  _mm512_storeu_ps(numbers, _mm512_maskz_cvtph_ps(0xFFFF, halves));
  return true;
}

#elif defined(__AVX2__) && defined(__FMA__) && defined(__F16C__)

template <>
inline constexpr bool converts_packs<float> = true;

/// The same.
inline bool convert_pack(float *numbers) {
  __m256 const x = _mm256_loadu_ps(numbers);
  if (_mm256_movemask_ps(_mm256_cmp_ps(x, x, _CMP_UNORD_Q)) != 0) return false;
  __m128i const halves = _mm256_cvtps_ph(x, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
  _mm256_storeu_ps(numbers, _mm256_cvtph_ps(halves));
  return true;
}

#endif

/// Every number becomes the nearest of the format, as gossip::rounded.
template <class Format, class T>
[[gnu::noinline]] void round_numbers(T *numbers, std::size_t count) {
  constexpr std::size_t group = pack_size<T>;
  auto const one_by_one = [](T *from, std::size_t n) {
#pragma GCC ivdep
    for (std::size_t i = 0; i < n; ++i) from[i] = rounded<Format>(from[i]);
  };
  std::size_t whole = 0;
  if constexpr (std::is_same_v<Format, fp16> && converts_packs<T>) {
    whole = count / group * group;
    for (std::size_t i = 0; i < whole; i += group)
      if (!convert_pack(numbers + i)) one_by_one(numbers + i, group);
  }
  one_by_one(numbers + whole, count - whole);
}

}  // namespace gossip::host
