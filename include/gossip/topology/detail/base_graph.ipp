// Definitions of topology/base_graph.hpp.
#pragma once

#include <gossip/topology/base_graph.hpp>

#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include <gossip/core/error.hpp>
#include <gossip/core/inline.hpp>
#include <gossip/topology/detail/base_graph_rounds.hpp>
#include <gossip/topology/detail/require.hpp>

namespace gossip {

GOSSIP_INLINE graph base_graph::build(std::uint64_t /*seed*/) const {
  detail::require_at_least("base_graph", "nodes", 1, nodes);
  detail::require_at_least("base_graph", "peers", 1, peers);
  if (peers >= nodes && nodes > 1)
    throw input_error("base_graph: peers", "a number below nodes (" + std::to_string(nodes) + ")",
                      std::to_string(peers));
  double const n = static_cast<double>(nodes), k = static_cast<double>(peers);
  detail::require_edges_fit("base_graph", n * k * (std::log(n) / std::log(k + 1.0) + 1.0));
  std::vector<graph> graphs;
  for (detail::weighted_round const &round : detail::base_graph_rounds(nodes, peers)) {
    std::vector<edge> edges;
    for (detail::weighted_edge const &e : round) edges.push_back({e.from, e.to});
    graphs.push_back(graph::undirected(nodes, edges));
  }
  if (graphs.empty()) return graph::undirected(nodes, {});
  if (graphs.size() == 1) return graphs.front();
  return graph::changing(std::move(graphs));
}

}  // namespace gossip
