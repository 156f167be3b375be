// The last check of a graph read from a file: connected, or allowed by name not to be.
#pragma once

#include <string>

#include <gossip/graph/components.hpp>
#include <gossip/graph/graph.hpp>

namespace gossip::detail {

inline graph settle(graph read, std::string const &path, bool allow_disconnected,
                    bool only_largest_component) {
  if (only_largest_component) return largest_component(read);
  if (!allow_disconnected)
    require_connected(read, path, "set allow_disconnected or largest_component");
  return read;
}

}  // namespace gossip::detail
