// One centre with every other node.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <gossip/core/described.hpp>
#include <gossip/topology/detail/require.hpp>
#include <gossip/topology/topology.hpp>

namespace gossip {

/// A star; the centre is node 0.
struct star {
  std::size_t nodes = 16;

  graph_size size() const { return {nodes, static_cast<double>(nodes) - 1.0}; }
  graph build(std::uint64_t /*seed*/ = 0) const {
    detail::require_at_least("star", "nodes", 1, nodes);
    detail::require_edges_fit("star", size().edges);
    std::vector<edge> edges;
    edges.reserve(nodes - 1);
    for (std::size_t i = 1; i < nodes; ++i) edges.push_back({0, static_cast<node>(i)});
    return graph::undirected(nodes, edges);
  }

  static constexpr char const *name = "star";
  static constexpr char const *meaning = "node 0 is joined with every other node";
  static constexpr auto members() {
    return member_list{
        described("nodes", &star::nodes, "number of nodes", {.least = 1, .most = node_limit})};
  }
};

static_assert(topology<star>);

}  // namespace gossip
