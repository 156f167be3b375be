// A balanced tree, filled level by level.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <gossip/core/described.hpp>
#include <gossip/topology/detail/require.hpp>
#include <gossip/topology/topology.hpp>

namespace gossip {

/// Node 0 is the root, and node i > 0 is joined to node (i - 1) / children, rounded down.
struct tree {
  std::size_t nodes = 15;
  std::size_t children = 2;

  graph_size size() const { return {nodes, static_cast<double>(nodes) - 1.0}; }
  graph build(std::uint64_t /*seed*/ = 0) const {
    detail::require_at_least("tree", "nodes", 1, nodes);
    detail::require_at_least("tree", "children", 1, children);
    detail::require_edges_fit("tree", size().edges);
    std::vector<edge> edges;
    edges.reserve(nodes - 1);
    for (std::size_t i = 1; i < nodes; ++i)
      edges.push_back({static_cast<node>((i - 1) / children), static_cast<node>(i)});
    return graph::undirected(nodes, edges);
  }

  static constexpr char const *name = "tree";
  static constexpr char const *meaning = "balanced tree, filled level by level";
  static constexpr auto members() {
    return member_list{
        described("nodes", &tree::nodes, "number of nodes", {.least = 1, .most = node_limit}),
        described("children", &tree::children, "number of children of a node",
                  {.least = 1, .most = node_limit})};
  }
};

static_assert(topology<tree>);

}  // namespace gossip
