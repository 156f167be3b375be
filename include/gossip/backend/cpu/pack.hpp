// One register of numbers of the host's processor, and the one multiply-add that kernels may fuse.
#pragma once

#include <cstddef>
#include <cstring>

#include <gossip/op/vector_bytes.hpp>

#if defined(__AVX512F__) || (defined(__AVX2__) && defined(__FMA__))
#include <immintrin.h>
#endif

namespace gossip::host {

inline constexpr std::size_t pack_bytes = op::vector_bytes;
#if defined(__AVX512F__)
inline constexpr std::size_t registers = 32;
#else
inline constexpr std::size_t registers = 16;
#endif

template <class T>
struct pack_of {
  typedef T type __attribute__((vector_size(pack_bytes), may_alias));
};

/// Numbers side by side, enough to fill one register of the processor that the file is compiled
/// for. Functions of packs are always inlined: files of a program may be compiled for processors
/// with registers of different widths.
template <class T>
using pack = typename pack_of<T>::type;

template <class T>
inline constexpr std::size_t pack_size = pack_bytes / sizeof(T);

template <class T>
[[gnu::always_inline]] inline pack<T> load(T const *from) {
  pack<T> value;
  std::memcpy(&value, from, sizeof value);
  return value;
}

/// For a value that several operations use: GCC would load it again for each of them.
template <class T>
[[gnu::always_inline]] inline pack<T> load_once(T const *from) {
  pack<T> value = load(from);
#if defined(__x86_64__)
  asm("" : "+v"(value));
#endif
  return value;
}

template <class T>
[[gnu::always_inline]] inline void store(T *to, pack<T> value) {
  std::memcpy(to, &value, sizeof value);
}

template <class T>
[[gnu::always_inline]] inline pack<T> broadcast(T value) {
  return value - pack<T>{};
}

/// a * b + c: rounded once where the processor can, twice where it cannot.
template <class T>
[[gnu::always_inline]] inline pack<T> multiply_add(pack<T> a, pack<T> b, pack<T> c) {
#if defined(__AVX512F__)
  if constexpr (sizeof(T) == 4)
    return _mm512_fmadd_ps(a, b, c);
  else
    return _mm512_fmadd_pd(a, b, c);
#elif defined(__AVX2__) && defined(__FMA__)
  if constexpr (sizeof(T) == 4)
    return _mm256_fmadd_ps(a, b, c);
  else
    return _mm256_fmadd_pd(a, b, c);
#else
  return a * b + c;
#endif
}

/// The sum of a pack, halves added to halves.
template <class T>
[[gnu::always_inline]] inline T sum(pack<T> a) {
  T parts[pack_size<T>];
  std::memcpy(parts, &a, sizeof a);
  for (std::size_t half = pack_size<T> / 2; half > 0; half /= 2)
    for (std::size_t i = 0; i < half; ++i) parts[i] += parts[i + half];
  return parts[0];
}

}  // namespace gossip::host
