// A batch on the machine: samples lie side by side in lanes, in chunks of at most 64.
#pragma once

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <type_traits>

namespace gossip {

/// Lanes come in groups of this many: a whole number of registers on every processor.
inline constexpr std::size_t lane_group = 16;

/// A larger batch is cut in chunks of this many samples; gradients are added in chunk order.
inline constexpr std::size_t chunk_samples = 64;

/// Lanes that a chunk of the given number of samples takes: 16, 32 or 64; those beyond the samples
/// hold zeros.
constexpr std::size_t lanes_for(std::size_t samples) {
  std::size_t lanes = lane_group;
  while (lanes < std::min(samples, chunk_samples)) lanes *= 2;
  return lanes;
}

/// The same thing for each of k nodes: that of node j begins at data + j * stride.
template <class T>
struct strided {
  T *data = nullptr;
  std::size_t stride = 0;

  constexpr T *at(std::size_t j) const { return data + j * stride; }
  constexpr strided operator+(std::size_t offset) const { return {data + offset, stride}; }
  template <std::same_as<T const> U>
    requires(!std::is_const_v<T>)
  constexpr operator strided<U>() const {
    return {data, stride};
  }
};

}  // namespace gossip
