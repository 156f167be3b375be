// The shape of one sample of a data set.
#pragma once

#include <cstddef>
#include <string>

#include <gossip/core/error.hpp>

namespace gossip {

/// The shape of one sample; a feature sits at (channel * height + row) * width + column.
struct sample_shape {
  std::size_t channels = 1;
  std::size_t height = 1;
  std::size_t width = 1;

  constexpr std::size_t plane() const { return height * width; }
  constexpr std::size_t size() const { return channels * plane(); }
  friend constexpr bool operator==(sample_shape const &, sample_shape const &) = default;
};

/// The largest extent of a sample in any dimension.
inline constexpr std::size_t max_extent = std::size_t{1} << 20;

/// Throws input_error unless every dimension has an extent of 1 to max_extent.
inline void check_shape(std::string const &where, sample_shape shape) {
  for (std::size_t const extent : {shape.channels, shape.height, shape.width})
    if (extent == 0 || extent > max_extent)
      throw input_error(where,
                        "samples of 1 to " + std::to_string(max_extent) + " in every dimension",
                        std::to_string(extent));
}

}  // namespace gossip
