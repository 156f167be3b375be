// Bytes of a vector register of the processor compiled for.
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
