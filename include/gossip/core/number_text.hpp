// Numbers as sentences and files show them.
#pragma once

#include <array>
#include <charconv>
#include <cmath>
#include <string>

namespace gossip::detail {

/// The shortest text that is read back as the same number.
inline std::string shortest(double value) {
  std::array<char, 32> text;
  auto const result = std::to_chars(text.data(), text.data() + text.size(), value);
  return {text.data(), result.ptr};
}

/// Four digits of a number, for what is said of its size; of what is no number no sign.
inline std::string rounded_text(double value) {
  std::array<char, 32> text;
  if (std::isnan(value)) return "nan";
  auto const result =
      std::to_chars(text.data(), text.data() + text.size(), value, std::chars_format::general, 4);
  return {text.data(), result.ptr};
}

}  // namespace gossip::detail
