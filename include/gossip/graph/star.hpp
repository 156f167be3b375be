// One centre with every other node.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <gossip/graph/detail/require.hpp>
#include <gossip/graph/topology.hpp>

namespace gossip {

/// A star; the centre is node 0.
struct star {
  std::size_t nodes = 16;

  graph build(std::uint64_t /*seed*/ = 0) const {
    detail::require_at_least("star", "nodes", 1, nodes);
    detail::require_edges_fit("star", static_cast<double>(nodes));
    std::vector<edge> edges;
    edges.reserve(nodes - 1);
    for (std::size_t i = 1; i < nodes; ++i) edges.push_back({0, static_cast<node>(i)});
    return graph::undirected(nodes, edges);
  }
};

static_assert(topology<star>);

}  // namespace gossip
