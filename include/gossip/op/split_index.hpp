// One index split in two, for every value of a device's loop.
#pragma once

#include <cstddef>
#include <cstdint>

#include <gossip/core/bits.hpp>

namespace gossip::op {

struct two_indices {
  std::size_t quotient, remainder;
};

/// index / n and index % n. GPUs divide 32-bit numbers several times as fast as 64-bit ones.
constexpr two_indices split_index(std::size_t index, std::size_t n) {
  if (((index | n) >> 32) == 0) {
    auto const small = static_cast<std::uint32_t>(index), by = static_cast<std::uint32_t>(n);
    std::uint32_t const quotient = small / by;
    return {quotient, small - quotient * by};
  }
  return {index / n, index % n};
}

/// A number that a loop divides each of its indices by: those of 32 bits by a product and two
/// shifts. T. Granlund, P. L. Montgomery, "Division by invariant integers using multiplication",
/// PLDI 1994, figure 4.1.
class divisor {
 public:
  constexpr explicit divisor(std::size_t by) : by_(by) {
    if (by == 0 || by >> 32 != 0) return;
    unsigned const bits = bit_width(by - 1);
    std::uint64_t const power = std::uint64_t{1} << bits;
    factor_ = static_cast<std::uint32_t>(((power - by) << 32) / by + 1);
    first_shift_ = bits < 1 ? 0 : 1;
    second_shift_ = bits < 1 ? 0 : static_cast<std::uint8_t>(bits - 1);
  }

  constexpr two_indices split(std::size_t index) const {
    if (((index | by_) >> 32) != 0) return {index / by_, index % by_};
    auto const small = static_cast<std::uint32_t>(index), by = static_cast<std::uint32_t>(by_);
    auto const high = static_cast<std::uint32_t>(std::uint64_t{factor_} * small >> 32);
    std::uint32_t const quotient = (high + ((small - high) >> first_shift_)) >> second_shift_;
    return {quotient, small - quotient * by};
  }

 private:
  std::size_t by_;
  std::uint32_t factor_ = 1;
  std::uint8_t first_shift_ = 0, second_shift_ = 0;
};

}  // namespace gossip::op
