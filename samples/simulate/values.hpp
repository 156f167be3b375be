// Values of a configuration that has been checked.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "schema.hpp"

namespace simulate {

/// The part of a configuration's /data that says which samples there are, without what a run does
/// with them.
inline json samples_of(json data) {
  if (data.is_object())
    for (char const *of_a_run : {"split", "flipped_nodes"}) data.erase(of_a_run);
  return data;
}

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

/// The seed that a policy has of its own, if it has one.
inline std::optional<std::uint64_t> own_seed(json const &c) {
  auto const at = c.is_object() ? c.find("seed") : c.end();
  if (at == c.end() || at->is_null()) return std::nullopt;
  return at->get<std::uint64_t>();
}

/// The kind of a policy, in its short form or not.
inline std::string kind_of(json const &c) {
  return c.is_string() ? c.get<std::string>() : text_at(c, "kind");
}

}  // namespace simulate
