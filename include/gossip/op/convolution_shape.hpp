// The compile-time shape of a convolution.
#pragma once

#include <cstddef>

namespace gossip {

/// Input (channels, height, width), with `padding` zeros around each plane; weights (filters,
/// channels, kernel, kernel); output (filters, (height + 2 padding - kernel) / stride + 1, the same
/// of the width).
struct convolution_shape {
  std::size_t channels, height, width, filters, kernel, stride = 1, padding = 0;

  constexpr std::size_t out_height() const { return (height + 2 * padding - kernel) / stride + 1; }
  constexpr std::size_t out_width() const { return (width + 2 * padding - kernel) / stride + 1; }
  constexpr std::size_t in_plane() const { return height * width; }
  constexpr std::size_t out_plane() const { return out_height() * out_width(); }
  constexpr std::size_t taps() const { return kernel * kernel; }
  constexpr std::size_t weights() const { return filters * channels * taps(); }
};

}  // namespace gossip
