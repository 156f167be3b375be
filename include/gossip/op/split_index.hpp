// One index split in two, for every value of a device's loop.
#pragma once

#include <cstddef>
#include <cstdint>

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

}  // namespace gossip::op
