// Augmentation of small images: every visit of a sample shows it moved a little, half of them
// mirrored. The usual one for CIFAR-10: K. He, X. Zhang, S. Ren, J. Sun, "Deep residual learning
// for image recognition", CVPR 2016, section 4.2.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include <gossip/core/described.hpp>
#include <gossip/core/node.hpp>
#include <gossip/data/sample_shape.hpp>

namespace gossip {

/// The source of an augmented sample's pixels: (row, column) of it is (row + down, column + right)
/// of the stored one, or, mirrored, (row + down, width - 1 - column + right).
struct sample_move {
  std::int32_t down = 0;
  std::int32_t right = 0;
  bool mirrored = false;

  friend constexpr bool operator==(sample_move const &, sample_move const &) = default;

  /// The place within a plane that (row, column) shows, or plane() where it lies outside of it.
  constexpr std::size_t source(sample_shape shape, std::size_t row, std::size_t column) const {
    auto const height = static_cast<std::int64_t>(shape.height);
    auto const width = static_cast<std::int64_t>(shape.width);
    std::int64_t const x = static_cast<std::int64_t>(column);
    std::int64_t const from_row = static_cast<std::int64_t>(row) + down;
    std::int64_t const from_column = (mirrored ? width - 1 - x : x) + right;
    if (from_row < 0 || from_row >= height || from_column < 0 || from_column >= width)
      return shape.plane();
    return static_cast<std::size_t>(from_row * width + from_column);
  }
};

/// Pads every side, crops at a random place and mirrors half of the samples, as torchvision's
/// RandomCrop and RandomHorizontalFlip on images that are not yet normalised: padding is the stored
/// value 0, a byte of which becomes the shift of its channel.
struct crop_and_flip {
  std::size_t padding = 4;  // pixels on each side
  bool flip = true;

  friend bool operator==(crop_and_flip const &, crop_and_flip const &) = default;

  /// Throws input_error unless every crop shows a part of the sample.
  void check(sample_shape shape) const;

  /// The move of the sample at a position of the node's batch at a step; every pair of offsets from
  /// -padding to padding is as likely as any other.
  sample_move draw(std::uint64_t seed, node i, std::uint64_t step, std::size_t position) const;

  static constexpr char const *name = "crop_and_flip";
  static constexpr char const *meaning =
      "pad with zeros, crop at a random place, mirror half of the images";
  static constexpr auto members() {
    return member_list{described("padding", &crop_and_flip::padding,
                                 "number of pixels of zeros on each side", {.most = 1e6}),
                       described("flip", &crop_and_flip::flip, "mirror half of the images")};
  }
};

/// Writes a sample of the shape as the move shows it, values as they are stored; the move is by
/// less than the height and the width.
template <class V>
void move_sample(V const *__restrict from, sample_shape shape, sample_move move, V *__restrict to) {
  std::ptrdiff_t const width = static_cast<std::ptrdiff_t>(shape.width), right = move.right;
  std::ptrdiff_t const begin = std::max<std::ptrdiff_t>(0, -right);  // of what is not padding
  std::ptrdiff_t const end = std::min(width, width - right);
  for (std::size_t c = 0; c < shape.channels; ++c, from += shape.plane())
    for (std::size_t row = 0; row < shape.height; ++row, to += width) {
      std::fill_n(to, width, V{0});
      std::ptrdiff_t const y = static_cast<std::ptrdiff_t>(row) + move.down;
      if (y < 0 || y >= static_cast<std::ptrdiff_t>(shape.height)) continue;
      V const *const line = from + y * width;
      if (move.mirrored)
        for (std::ptrdiff_t x = begin; x < end; ++x) to[width - 1 - x] = line[x + right];
      else
        for (std::ptrdiff_t x = begin; x < end; ++x) to[x] = line[x + right];
    }
}

}  // namespace gossip

#ifndef GOSSIP_COMPILED
#include <gossip/data/detail/crop_and_flip.ipp>
#endif
