// Bytes of a vector register of the processor compiled for. Registers are read as other numbers by
// __builtin_bit_cast: as an argument of a template, nvcc takes a vector type for its elements'
// type.
#pragma once

#include <cstddef>

namespace gossip::op {

#if defined(__AVX512F__)
inline constexpr std::size_t vector_bytes = 64;
#elif defined(__AVX2__) && defined(__FMA__)
inline constexpr std::size_t vector_bytes = 32;
#else
inline constexpr std::size_t vector_bytes = 16;
#endif

}  // namespace gossip::op
