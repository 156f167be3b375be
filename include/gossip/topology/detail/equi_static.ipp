// Definitions of topology/equi_static.hpp.
#pragma once

#include <gossip/topology/equi_static.hpp>

#include <string>
#include <vector>

#include <gossip/core/inline.hpp>
#include <gossip/core/random.hpp>
#include <gossip/topology/detail/connected_draw.hpp>
#include <gossip/topology/detail/require.hpp>
#include <gossip/topology/detail/shared_offsets.hpp>

namespace gossip {

GOSSIP_INLINE graph equi_static::build(std::uint64_t seed) const {
  detail::require_at_least("equi_static", "nodes", 1, nodes);
  detail::require_at_least("equi_static", "offsets", 1, offsets);
  detail::require_offsets("equi_static", nodes, offsets, directed);
  detail::require_edges_fit("equi_static", size().edges);
  return detail::connected_draw(
      {.refusal = "equi_static: found no connected graph of " + std::to_string(nodes) +
                  " nodes and " + std::to_string(offsets) + " offsets",
       .directed = directed},
      [&](std::uint64_t attempt) { return draw(seed, attempt); });
}

GOSSIP_INLINE graph equi_static::draw(std::uint64_t seed, std::uint64_t attempt) const {
  std::vector<edge> edges;
  if (nodes > 1) {
    keyed_random random(seed, purpose::topology, 0, attempt);
    edges.reserve(nodes * offsets);
    for (std::size_t const a : detail::draw_offsets(nodes, offsets, directed, random))
      detail::append_shift(edges, nodes, a, directed);
  }
  return directed ? graph::directed(nodes, edges) : graph::undirected(nodes, edges);
}

}  // namespace gossip
