// Definitions of topology/one_peer_exponential.hpp.
#pragma once

#include <gossip/topology/one_peer_exponential.hpp>

#include <utility>
#include <vector>

#include <gossip/core/inline.hpp>
#include <gossip/topology/detail/require.hpp>

namespace gossip {

GOSSIP_INLINE graph one_peer_exponential::build(std::uint64_t /*seed*/) const {
  detail::require_at_least("one_peer_exponential", "nodes", 1, nodes);
  detail::require_edges_fit("one_peer_exponential", size().edges);
  std::vector<graph> rounds;
  for (std::size_t const d : exponential_distances(nodes)) {
    std::vector<edge> edges;
    edges.reserve(nodes);
    for (std::size_t i = 0; i < nodes; ++i)
      edges.push_back({static_cast<node>((i + d) % nodes), static_cast<node>(i)});
    rounds.push_back(graph::directed(nodes, edges));
  }
  if (rounds.size() < 2) return exponential{nodes}.build();
  return graph::changing(std::move(rounds));
}

}  // namespace gossip
