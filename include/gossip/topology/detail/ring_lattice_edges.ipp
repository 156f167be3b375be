// Definitions of topology/detail/ring_lattice_edges.hpp.
#pragma once

#include <gossip/topology/detail/ring_lattice_edges.hpp>

#include <string>

#include <gossip/core/error.hpp>
#include <gossip/core/inline.hpp>
#include <gossip/topology/detail/require.hpp>

namespace gossip::detail {

GOSSIP_INLINE void require_lattice(char const *where, char const *field, std::size_t nodes,
                                   std::size_t degree) {
  require_at_least(where, "nodes", 1, nodes);
  if (degree % 2 == 1 || degree >= nodes || (degree == 0 && nodes > 1))
    throw input_error(std::string(where) + ": " + field,
                      "an even number from 2, below nodes (" + std::to_string(nodes) + ")",
                      std::to_string(degree));
  require_edges_fit(where, static_cast<double>(nodes) * static_cast<double>(degree) / 2.0);
}

GOSSIP_INLINE std::vector<edge> ring_lattice_edges(std::size_t nodes, std::size_t degree) {
  std::vector<edge> edges;
  edges.reserve(nodes * degree / 2);
  for (std::size_t d = 1; d <= degree / 2; ++d)
    for (std::size_t i = 0; i < nodes; ++i)
      edges.push_back({static_cast<node>(i), static_cast<node>((i + d) % nodes)});
  return edges;
}

}  // namespace gossip::detail
