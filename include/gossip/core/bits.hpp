// Counts of bits for host and device. In code of a device nvcc 13.0 compiles those of <bit> on 64
// bits to their values for zero, without a diagnostic.
#pragma once

#include <cstdint>

namespace gossip {

/// Bits that a whole number takes; 0 of 0.
constexpr unsigned bit_width(std::uint64_t number) {
  if (number == 0) return 0;
  return 64 - static_cast<unsigned>(__builtin_clzll(number));
}

/// The largest power of two that is not above a number; 0 of 0.
constexpr std::uint64_t bit_floor(std::uint64_t number) {
  return number == 0 ? 0 : std::uint64_t{1} << (bit_width(number) - 1);
}

/// The least power of two that is not below a number, at most 2^63; 1 of 0.
constexpr std::uint64_t bit_ceil(std::uint64_t number) {
  return number < 2 ? 1 : std::uint64_t{1} << bit_width(number - 1);
}

/// Bits that are 1.
constexpr unsigned bit_count(std::uint64_t number) {
  return static_cast<unsigned>(__builtin_popcountll(number));
}

/// Ones below the lowest zero.
constexpr unsigned trailing_ones(std::uint64_t number) {
  return number == ~std::uint64_t{0} ? 64 : bit_width(number ^ (number + 1)) - 1;
}

}  // namespace gossip
