// Max pooling over square windows that do not overlap, and its gradient.
#pragma once

#include <cstddef>
#include <cstdint>

#include <gossip/op/lanes.hpp>

namespace gossip::op {

/// Input (channels, height, width, lanes), output (channels, height / window, width / window,
/// lanes); rows and columns beyond the last whole window are dropped, as in PyTorch.
struct pool_shape {
  std::size_t channels, height, width, window;

  constexpr std::size_t out_height() const { return height / window; }
  constexpr std::size_t out_width() const { return width / window; }
  constexpr std::size_t out_size() const { return channels * out_height() * out_width(); }
  /// The input row of the first value of the window of an output row.
  constexpr std::size_t corner(std::size_t out_row) const {
    std::size_t const x = out_row % out_width();
    std::size_t const y = out_row / out_width() % out_height();
    std::size_t const c = out_row / out_width() / out_height();
    return (c * height + y * window) * width + x * window;
  }
};

/// The greatest value of each window and which it was (row-major in the window, the first of
/// equals; the last that is not a number, if there is one, as in PyTorch).
template <pool_shape S, class T>
struct max_pool {
  strided<T const> in;
  strided<T> out;
  strided<std::uint8_t> winner;
  std::size_t lanes;

  constexpr void operator()(std::size_t j, std::size_t row, std::size_t lane) const {
    T const *const corner = in.at(j) + S.corner(row) * lanes + lane;
    T best = corner[0];
    std::uint8_t which = 0;
    for (std::size_t y = 0; y < S.window; ++y)
      for (std::size_t x = 0; x < S.window; ++x)
        if (T const value = corner[(y * S.width + x) * lanes]; value > best || value != value) {
          which = static_cast<std::uint8_t>(y * S.window + x);
          best = value;
        }
    out.at(j)[row * lanes + lane] = best;
    winner.at(j)[row * lanes + lane] = which;
  }
};

/// Hands each window's gradient to its winner and zero to the others.
template <pool_shape S, class T>
struct max_pool_back {
  strided<T const> out_gradient;
  strided<std::uint8_t const> winner;
  strided<T> in_gradient;
  std::size_t lanes;

  constexpr void operator()(std::size_t j, std::size_t row, std::size_t lane) const {
    T *const corner = in_gradient.at(j) + S.corner(row) * lanes + lane;
    T const gradient = out_gradient.at(j)[row * lanes + lane];
    int const which = winner.at(j)[row * lanes + lane];
    for (std::size_t y = 0; y < S.window; ++y)
      for (std::size_t x = 0; x < S.window; ++x)
        corner[(y * S.width + x) * lanes] =
            which == static_cast<int>(y * S.window + x) ? gradient : T{0};
  }
};

/// Zeroes the inputs that no window covers; row counts all input rows.
template <pool_shape S, class T>
struct clear_uncovered {
  strided<T> in_gradient;
  std::size_t lanes;

  constexpr void operator()(std::size_t j, std::size_t row, std::size_t lane) const {
    std::size_t const x = row % S.width;
    std::size_t const y = row / S.width % S.height;
    if (x >= S.out_width() * S.window || y >= S.out_height() * S.window)
      in_gradient.at(j)[row * lanes + lane] = T{0};
  }
};

}  // namespace gossip::op
