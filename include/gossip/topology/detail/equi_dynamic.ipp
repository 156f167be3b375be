// Definitions of topology/equi_dynamic.hpp.
#pragma once

#include <gossip/topology/equi_dynamic.hpp>

#include <string>
#include <utility>

#include <gossip/core/inline.hpp>
#include <gossip/core/random.hpp>
#include <gossip/topology/detail/connected_draw.hpp>
#include <gossip/topology/detail/require.hpp>

namespace gossip {

GOSSIP_INLINE graph equi_dynamic::build(std::uint64_t seed) const {
  detail::require_at_least("equi_dynamic", "nodes", 1, nodes);
  detail::require_at_least("equi_dynamic", "rounds", 1, rounds);
  detail::require_offsets("equi_dynamic", nodes, offsets, directed);
  detail::require_edges_fit("equi_dynamic",
                            static_cast<double>(nodes) * static_cast<double>(rounds));
  return detail::connected_draw(
      {.refusal = "equi_dynamic: found no rounds whose union is connected, " +
                  std::to_string(rounds) + " of " + std::to_string(nodes) +
                  " nodes; 6 rounds that choose from all offsets are usually enough",
       .directed = directed},
      [&](std::uint64_t attempt) { return draw(seed, attempt); });
}

GOSSIP_INLINE graph equi_dynamic::draw(std::uint64_t seed, std::uint64_t attempt) const {
  if (nodes == 1) return directed ? graph::directed(1, {}) : graph::undirected(1, {});
  keyed_random random(seed, purpose::topology, 0, attempt);
  auto const chosen = detail::draw_offsets(nodes, offsets, directed, random);
  auto const below = [&random](std::size_t n) {
    return std::size_t{random.below(static_cast<std::uint32_t>(n))};
  };
  std::vector<graph> graphs;
  graphs.reserve(rounds);
  for (std::size_t k = 0; k < rounds; ++k) {
    std::size_t const a = chosen.empty() ? 1 + below(nodes - 1) : chosen[below(chosen.size())];
    graphs.push_back(directed ? shifted(a) : matched(a, below(nodes)));
  }
  return graph::changing(std::move(graphs));
}

}  // namespace gossip
