// The compile-time shape of a convolution: stride 1, no padding.
#pragma once

#include <cstddef>

namespace gossip {

/// Input (channels, height, width), weights (filters, channels, kernel, kernel),
/// output (filters, height - kernel + 1, width - kernel + 1).
struct convolution_shape {
  std::size_t channels, height, width, filters, kernel;

  constexpr std::size_t out_height() const { return height - kernel + 1; }
  constexpr std::size_t out_width() const { return width - kernel + 1; }
  constexpr std::size_t in_plane() const { return height * width; }
  constexpr std::size_t out_plane() const { return out_height() * out_width(); }
  constexpr std::size_t taps() const { return kernel * kernel; }
  constexpr std::size_t weights() const { return filters * channels * taps(); }
};

}  // namespace gossip
