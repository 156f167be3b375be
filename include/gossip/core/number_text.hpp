// Numbers as sentences and files show them.
#pragma once

#include <array>
#include <charconv>
#include <string>

namespace gossip::detail {

/// The shortest text that is read back as the same number.
inline std::string shortest(double value) {
  std::array<char, 32> text;
  auto const result = std::to_chars(text.data(), text.data() + text.size(), value);
  return {text.data(), result.ptr};
}

}  // namespace gossip::detail
