// A short text as std::printf makes it.
#pragma once

#include <cstdio>
#include <string>

namespace propagation {

/// Of at most 255 characters; what is more is cut off.
template <class... Numbers>
std::string printed(char const *format, Numbers... numbers) {
  char text[256];
  std::snprintf(text, sizeof text, format, numbers...);
  return text;
}

}  // namespace propagation
