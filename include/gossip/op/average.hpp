// Means over rectangular windows that do not overlap, and their gradient.
#pragma once

#include <cstddef>

#include <gossip/op/lanes.hpp>

namespace gossip::op {

/// Input (channels, height, width, lanes), output (channels, height / window_height, width /
/// window_width, lanes); rows and columns beyond the last whole window are dropped, as in PyTorch.
struct average_shape {
  std::size_t channels, height, width, window_height, window_width;

  constexpr std::size_t out_height() const { return height / window_height; }
  constexpr std::size_t out_width() const { return width / window_width; }
  constexpr std::size_t in_size() const { return channels * height * width; }
  constexpr std::size_t out_size() const { return channels * out_height() * out_width(); }
  constexpr std::size_t window() const { return window_height * window_width; }
};

/// The mean of each window; row counts outputs.
template <average_shape S, class T>
struct average {
  strided<T const> in;
  strided<T> out;
  std::size_t lanes;

  constexpr void operator()(std::size_t j, std::size_t row, std::size_t lane) const {
    std::size_t const x = row % S.out_width() * S.window_width;
    std::size_t const y = row / S.out_width() % S.out_height() * S.window_height;
    std::size_t const c = row / S.out_width() / S.out_height();
    T const *const corner = in.at(j) + ((c * S.height + y) * S.width + x) * lanes + lane;
    T sum{0};
    for (std::size_t dy = 0; dy < S.window_height; ++dy)
      for (std::size_t dx = 0; dx < S.window_width; ++dx)
        sum += corner[(dy * S.width + dx) * lanes];
    out.at(j)[row * lanes + lane] = sum / static_cast<T>(S.window());
  }
};

/// Hands each window's gradient to its values in equal parts and zero to what no window covers; row
/// counts inputs.
template <average_shape S, class T>
struct average_back {
  strided<T const> out_gradient;
  strided<T> in_gradient;
  std::size_t lanes;

  constexpr void operator()(std::size_t j, std::size_t row, std::size_t lane) const {
    std::size_t const x = row % S.width / S.window_width;
    std::size_t const y = row / S.width % S.height / S.window_height;
    std::size_t const c = row / S.width / S.height;
    bool const covered = x < S.out_width() && y < S.out_height();
    std::size_t const from = (c * S.out_height() + y) * S.out_width() + x;
    in_gradient.at(j)[row * lanes + lane] =
        covered ? out_gradient.at(j)[from * lanes + lane] / static_cast<T>(S.window()) : T{0};
  }
};

}  // namespace gossip::op
