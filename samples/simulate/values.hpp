// Values of a configuration that has been checked.
#pragma once

#include <cstddef>
#include <string>

#include "schema.hpp"

namespace simulate {

inline std::size_t size_at(json const &c, char const *key) {
  return c.at(key).get<std::size_t>();
}
inline double number_at(json const &c, char const *key) {
  return c.at(key).get<double>();
}
inline bool flag_at(json const &c, char const *key) {
  return c.at(key).get<bool>();
}
inline std::string text_at(json const &c, char const *key) {
  return c.at(key).get<std::string>();
}

/// The kind of a policy, in its short form or not.
inline std::string kind_of(json const &c) {
  return c.is_string() ? c.get<std::string>() : text_at(c, "kind");
}

}  // namespace simulate
