// The two passes of a convolution that sum over taps and planes, in one form: outputs from inputs,
// and gradients of inputs from those of outputs.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include <gossip/op/convolution_axis.hpp>
#include <gossip/op/convolution_shape.hpp>

namespace gossip::op {

/// Targets are outputs (f, y, x), sources inputs (c, y, x).
template <convolution_shape S>
struct forward_pass {
  static constexpr convolution_shape shape = S;
  static constexpr std::size_t targets = S.filters, sources = S.channels;  // planes
  static constexpr std::size_t target_height = S.out_height(), target_width = S.out_width();
  static constexpr std::size_t source_height = S.height, source_width = S.width;
  static constexpr std::size_t target_stride = S.channels * S.taps();  // in the weights
  static constexpr std::size_t source_stride = S.taps();
  static constexpr std::size_t residues = 1;
  static constexpr convolution_axis vertical(std::size_t) { return forward_axis(S, target_height); }
  static constexpr convolution_axis horizontal(std::size_t) {
    return forward_axis(S, target_width);
  }
};

/// Targets are gradients of inputs (c, y, x), sources gradients of outputs (f, y, x).
template <convolution_shape S>
struct backward_pass {
  static constexpr convolution_shape shape = S;
  static constexpr std::size_t targets = S.channels, sources = S.filters;
  static constexpr std::size_t target_height = S.height, target_width = S.width;
  static constexpr std::size_t source_height = S.out_height(), source_width = S.out_width();
  static constexpr std::size_t target_stride = S.taps();
  static constexpr std::size_t source_stride = S.channels * S.taps();
  static constexpr std::size_t residues = S.stride;
  static constexpr convolution_axis vertical(std::size_t residue) {
    return backward_axis(S, target_height, residue);
  }
  static constexpr convolution_axis horizontal(std::size_t residue) {
    return backward_axis(S, target_width, residue);
  }
};

/// A row of sources laid out so that the sources of neighbouring targets are neighbours: the
/// columns of each residue of the stride together, zeros where a tap meets no source.
template <class Pass>
struct packed_row {
  static constexpr auto residue_columns(auto of) {
    std::ptrdiff_t value = 0;
    for (std::size_t r = 0; r < Pass::residues; ++r) {
      convolution_axis const x = Pass::horizontal(r);
      if (x.count == 0 || x.taps == 0) continue;
      for (std::ptrdiff_t const at : {x.source(0, 0), x.source(0, x.taps - 1),
                                      x.source(x.count - 1, 0), x.source(x.count - 1, x.taps - 1)})
        value = std::max(value, of(at));
    }
    return value;
  }
  static constexpr std::ptrdiff_t stride = Pass::horizontal(0).stride;
  /// Columns of zeros before the first source.
  static constexpr std::ptrdiff_t left = residue_columns([](std::ptrdiff_t at) { return -at; });
  static constexpr std::ptrdiff_t right = residue_columns([](std::ptrdiff_t at) { return at; });
  static constexpr std::ptrdiff_t columns = (left + right) / stride + 1;  // of one residue
  /// Residues that taps meet, one after the other.
  static constexpr std::ptrdiff_t met =
      std::min<std::ptrdiff_t>(stride, static_cast<std::ptrdiff_t>(Pass::shape.kernel));
  static constexpr std::size_t width = static_cast<std::size_t>(columns * met);

  /// The source column at each packed one; for zeros one beyond the source's width.
  static constexpr auto sources = [] {
    std::array<std::uint32_t, width> at{};
    for (std::size_t i = 0; i < width; ++i) {
      auto const packed = static_cast<std::ptrdiff_t>(i);
      std::ptrdiff_t const column = packed % columns * stride + packed / columns - left;
      constexpr std::ptrdiff_t end = Pass::source_width;
      at[i] = static_cast<std::uint32_t>(column < 0 ? end : std::min(column, end));
    }
    return at;
  }();
  /// The packed column that tap j of the first target meets; those of later targets follow.
  static constexpr std::size_t first(convolution_axis x, std::size_t j) {
    std::ptrdiff_t const at = left + x.source(0, j);
    return static_cast<std::size_t>(at % stride * columns + at / stride);
  }
};

}  // namespace gossip::op
