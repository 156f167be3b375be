// Conversion of stored numbers to features: bytes are scaled and shifted, floats stay as they are.
#pragma once

#include <cstdint>

namespace gossip {

/// The conversion of a stored byte to a feature: value = byte * scale + shift.
struct byte_scale {
  float scale = 1.0F / 255.0F;
  float shift = 0.0F;

  constexpr float operator()(std::uint8_t byte) const {
    return static_cast<float>(byte) * scale + shift;
  }

  friend constexpr bool operator==(byte_scale const &, byte_scale const &) = default;
};

/// The scale that brings bytes to mean 0 and deviation 1, both given as parts of 255.
constexpr byte_scale normalising(double mean, double deviation) {
  return {.scale = static_cast<float>(1.0 / (255.0 * deviation)),
          .shift = static_cast<float>(-mean / deviation)};
}

/// Floats are features as they are stored; the counterpart of byte_scale.
struct unscaled {
  constexpr float operator()(float value) const { return value; }
};

}  // namespace gossip
