// Definitions of data/crop_and_flip.hpp.
#pragma once

#include <gossip/data/crop_and_flip.hpp>

#include <string>

#include <gossip/core/error.hpp>
#include <gossip/core/inline.hpp>
#include <gossip/core/random.hpp>

namespace gossip {

GOSSIP_INLINE void crop_and_flip::check(sample_shape shape) const {
  std::size_t const least = std::min(shape.height, shape.width);
  if (padding >= least)
    throw input_error("crop_and_flip: padding",
                      "less than the " + std::to_string(least) + " pixels of a side",
                      std::to_string(padding));
}

GOSSIP_INLINE sample_move crop_and_flip::draw(std::uint64_t seed, node i, std::uint64_t step,
                                              std::size_t position) const {
  keyed_random random(seed, purpose::augmentation, i, step);
  random.seek(static_cast<std::uint32_t>(position));
  auto const offset = [&] {
    auto const bound = static_cast<std::uint32_t>(2 * padding + 1);
    return static_cast<std::int32_t>(random.below(bound)) - static_cast<std::int32_t>(padding);
  };
  std::int32_t const down = offset(), right = offset();
  return {down, right, flip && random.below(2) == 1};
}

}  // namespace gossip
