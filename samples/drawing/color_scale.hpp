// Colors of numbers: viridis, whose lightness grows evenly, so that people tell its colors apart
// who see colors differently, and on gray paper.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <string>

namespace drawing {

/// Red, green and blue at 0, 1/4, ..., 1; in between they are interpolated.
inline constexpr std::array<std::array<double, 3>, 5> viridis{
    {{68, 1, 84}, {59, 82, 139}, {33, 145, 140}, {94, 201, 98}, {253, 231, 37}}};

/// "#21918c" for 0.5; numbers outside of 0 to 1 have the colors of these.
inline std::string shade(double value) {
  double const at = 4 * std::clamp(value, 0.0, 1.0);
  auto const k = std::min<std::size_t>(3, static_cast<std::size_t>(at));
  double const part = at - static_cast<double>(k);
  std::array<int, 3> c{};
  for (std::size_t of = 0; of < 3; ++of)
    c[of] = static_cast<int>(std::lround((1 - part) * viridis[k][of] + part * viridis[k + 1][of]));
  char text[8];
  std::snprintf(text, sizeof text, "#%02x%02x%02x", c[0] & 255, c[1] & 255, c[2] & 255);
  return text;
}

}  // namespace drawing
