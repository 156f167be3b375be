// Definitions of observer/record.hpp.
#pragma once

#include <gossip/observer/record.hpp>

#include <algorithm>

#include <gossip/core/error.hpp>
#include <gossip/core/inline.hpp>

namespace gossip {

GOSSIP_INLINE void record::require_free(std::string_view name) {
  for (std::string_view const taken : members)
    if (name == taken)
      throw input_error("observer: record::set", "a name that no member of the record has",
                        "'" + std::string(name) + "'");
  auto const odd = [](char c) { return c >= 0 && c < ' '; };
  if (name.empty() || std::any_of(name.begin(), name.end(), odd))
    throw input_error("observer: record::set", "a name on one line",
                      name.empty() ? "none" : "a name with control characters");
}

}  // namespace gossip
