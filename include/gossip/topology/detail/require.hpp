// The checks that topologies share, each one sentence.
#pragma once

#include <cstddef>
#include <sstream>
#include <string>

#include <gossip/core/error.hpp>
#include <gossip/graph/graph.hpp>

namespace gossip::detail {

/// "ring: nodes must be at least 1, got 0".
inline void require_at_least(char const *where, char const *field, std::size_t least,
                             std::size_t got) {
  if (got < least)
    throw input_error(std::string(where) + ": " + field + " must be at least " +
                      std::to_string(least) + ", got " + std::to_string(got));
}

/// Refuses a graph too large for memory before anything is allocated for it.
inline void require_edges_fit(char const *where, double edges) {
  if (edges <= static_cast<double>(graph::most_edges)) return;
  std::ostringstream got;
  got << "about " << edges;
  throw input_error(where, "at most " + std::to_string(graph::most_edges) + " edges", got.str());
}

}  // namespace gossip::detail
