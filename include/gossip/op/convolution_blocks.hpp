// Cache blocking of a convolution: the part that a core works on at a time stays in its cache.
// Blocks follow from the shape alone: results must not depend on the machine.
#pragma once

#include <algorithm>
#include <cstddef>

#include <gossip/op/convolution_pass.hpp>
#include <gossip/op/convolution_shape.hpp>

namespace gossip::op {

/// Sums over taps and planes: planes of sources are packed block by block.
template <class Pass, std::size_t Lanes>
struct correlation_blocks {
  static constexpr std::size_t lanes = std::min<std::size_t>(Lanes, 32);  // worked on at a time
  /// Planes of sources: about 144 terms a target, at which reading and writing sums costs little.
  static constexpr std::size_t sources = std::min(
      Pass::sources,
      std::clamp<std::size_t>(144 * Pass::residues * Pass::residues / Pass::shape.taps(), 16, 128));
  /// Rows of targets of one residue whose sums wait in the cache from block to block.
  static constexpr std::size_t rows = [] {
    std::size_t const numbers = std::min<std::size_t>(4096, 262144 / Pass::targets);
    return std::max<std::size_t>(1, numbers / (Pass::horizontal(0).count * lanes));
  }();
  /// Rows of targets of the residue that has most of them.
  static constexpr std::size_t height = Pass::vertical(Pass::shape.padding % Pass::residues).count;

  /// Rows first to last of the sources that target rows t to t + rows of all residues meet.
  struct range {
    std::size_t first, last;
  };
  static constexpr range source_rows(std::size_t t) {
    constexpr std::ptrdiff_t bottom = Pass::source_height;
    std::ptrdiff_t first = bottom, last = 0;
    for (std::size_t r = 0; r < Pass::residues; ++r) {
      convolution_axis const y = Pass::vertical(r);
      std::size_t const end = std::min(y.count, t + rows);
      for (std::size_t j = 0; j < y.taps && t < end; ++j) {
        first = std::min(first, y.source(t, j));
        last = std::max(last, y.source(end - 1, j) + 1);
      }
    }
    last = std::min(last, bottom);
    first = std::clamp<std::ptrdiff_t>(first, 0, last);
    return {static_cast<std::size_t>(first), static_cast<std::size_t>(last)};
  }

  static constexpr std::size_t row_numbers = packed_row<Pass>::width * lanes;
  /// Numbers of a block of packed sources.
  static constexpr std::size_t scratch = [] {
    std::size_t most = 0;
    for (std::size_t t = 0; t < height; t += rows)
      most = std::max(most, source_rows(t).last - source_rows(t).first);
    return most * row_numbers * sources;
  }();
};

/// Gradients of weights by outer products: inputs of a block of channels are transposed.
template <convolution_shape S, std::size_t Lanes>
struct outer_product_blocks {
  static constexpr std::size_t numbers = 4096;  // of a channel in work, if a row is not more
  static constexpr std::size_t lanes =
      S.in_plane() * Lanes <= numbers ? Lanes : std::min<std::size_t>(Lanes, 16);
  /// Rows of outputs in work, and rows of inputs that they meet.
  static constexpr std::size_t rows = [] {
    std::size_t const in_rows = std::max(numbers / (S.width * lanes), S.kernel);
    return std::min((in_rows - S.kernel) / S.stride + 1, S.out_height());
  }();
  static constexpr std::size_t in_rows = std::min((rows - 1) * S.stride + S.kernel, S.height);
  static constexpr std::size_t transposed = in_rows * S.width * lanes;  // numbers a channel
  /// Numbers of transposed inputs and of sums (tap, filter, channel), of so many channels.
  static constexpr std::size_t scratch(std::size_t channels) {
    return (transposed + S.taps() * S.filters) * channels;
  }
};

/// Gradients of weights by sums of each tap: rows of inputs are packed with their padding.
template <convolution_shape S, std::size_t Lanes>
struct tap_sum_blocks {
  /// Rows of outputs in work, and rows of inputs under their taps, padding included.
  static constexpr std::size_t rows =
      std::clamp<std::size_t>(4096 / (S.out_width() * Lanes), 1, S.out_height());
  static constexpr std::size_t in_rows = (rows - 1) * S.stride + S.kernel;
  static constexpr std::size_t row_numbers = packed_row<forward_pass<S>>::width * Lanes;
  static constexpr std::size_t packed = S.channels * in_rows * row_numbers;
  /// Numbers of packed inputs and of sums (f, c, tap, number of a register).
  static constexpr std::size_t scratch(std::size_t pack) { return packed + S.weights() * pack; }
};

/// From so many channels on, outer products fill registers.
inline constexpr std::size_t many_channels = 32;

/// Whether a convolution needs no packing: small planes that taps never leave.
template <convolution_shape S>
inline constexpr bool is_direct = S.stride == 1 && S.padding == 0 && S.channels < many_channels;

/// Numbers a lane that the passes of a convolution may write and forget, at any number of lanes.
template <convolution_shape S>
inline constexpr std::size_t convolution_scratch = [] {
  if (is_direct<S>) return std::size_t{0};
  std::size_t most = 0;
  auto const consider = [&]<std::size_t Lanes>() {
    constexpr std::size_t widest = 16;  // numbers in a register
    std::size_t const numbers = std::max(
        {correlation_blocks<forward_pass<S>, Lanes>::scratch,
         correlation_blocks<backward_pass<S>, Lanes>::scratch,
         S.channels < many_channels ? tap_sum_blocks<S, Lanes>::scratch(widest)
                                    : outer_product_blocks<S, Lanes>::scratch(2 * widest)});
    most = std::max(most, (numbers + Lanes - 1) / Lanes);
  };
  consider.template operator()<16>();
  consider.template operator()<32>();
  consider.template operator()<64>();
  return most;
}();

}  // namespace gossip::op
