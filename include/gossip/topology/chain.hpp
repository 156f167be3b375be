// Every node with the one before and the one after it, without an edge from the last to the first.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <gossip/core/described.hpp>
#include <gossip/topology/detail/require.hpp>
#include <gossip/topology/topology.hpp>

namespace gossip {

/// A chain of nodes, also known as path or line.
struct chain {
  std::size_t nodes = 16;

  graph_size size() const { return {nodes, static_cast<double>(nodes) - 1.0}; }
  graph build(std::uint64_t /*seed*/ = 0) const {
    detail::require_at_least("chain", "nodes", 1, nodes);
    detail::require_edges_fit("chain", size().edges);
    std::vector<edge> edges;
    edges.reserve(nodes - 1);
    for (std::size_t i = 1; i < nodes; ++i)
      edges.push_back({static_cast<node>(i - 1), static_cast<node>(i)});
    return graph::undirected(nodes, edges);
  }

  static constexpr char const *name = "chain";
  static constexpr char const *meaning =
      "path: every node is joined with the previous and the next one";
  static constexpr auto members() {
    return member_list{
        described("nodes", &chain::nodes, "number of nodes", {.least = 1, .most = node_limit})};
  }
};

static_assert(topology<chain>);

}  // namespace gossip
