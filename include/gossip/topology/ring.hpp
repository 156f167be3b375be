// Every node with the one before and the one after it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <gossip/core/described.hpp>
#include <gossip/topology/detail/require.hpp>
#include <gossip/topology/topology.hpp>

namespace gossip {

/// A ring of nodes; two nodes share one edge, one node has none.
struct ring {
  std::size_t nodes = 16;

  graph_size size() const { return {nodes, static_cast<double>(nodes) - (nodes > 2 ? 0.0 : 1.0)}; }
  graph build(std::uint64_t /*seed*/ = 0) const {
    detail::require_at_least("ring", "nodes", 1, nodes);
    detail::require_edges_fit("ring", size().edges);
    std::vector<edge> edges;
    edges.reserve(nodes);
    for (std::size_t i = 1; i < nodes; ++i)
      edges.push_back({static_cast<node>(i - 1), static_cast<node>(i)});
    if (nodes > 2) edges.push_back({0, static_cast<node>(nodes - 1)});
    return graph::undirected(nodes, edges);
  }

  static constexpr char const *name = "ring";
  static constexpr char const *meaning =
      "every node is joined with the previous and the next one, the last with the first";
  static constexpr auto members() {
    return member_list{
        described("nodes", &ring::nodes, "number of nodes", {.least = 1, .most = node_limit})};
  }
};

static_assert(topology<ring>);

}  // namespace gossip
