// Every node with every other.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <gossip/core/described.hpp>
#include <gossip/topology/detail/require.hpp>
#include <gossip/topology/topology.hpp>

namespace gossip {

/// The complete graph, nodes * (nodes - 1) / 2 edges.
struct complete {
  std::size_t nodes = 16;

  graph_size size() const {
    double const n = static_cast<double>(nodes);
    return {nodes, n * (n - 1.0) / 2.0};
  }
  graph build(std::uint64_t /*seed*/ = 0) const {
    detail::require_at_least("complete", "nodes", 1, nodes);
    detail::require_edges_fit("complete", size().edges);
    std::vector<edge> edges;
    edges.reserve(nodes * (nodes - 1) / 2);
    for (std::size_t i = 0; i < nodes; ++i)
      for (std::size_t j = i + 1; j < nodes; ++j)
        edges.push_back({static_cast<node>(i), static_cast<node>(j)});
    return graph::undirected(nodes, edges);
  }

  static constexpr char const *name = "complete";
  static constexpr char const *meaning = "every node is joined with every other node";
  static constexpr auto members() {
    return member_list{
        described("nodes", &complete::nodes, "number of nodes", {.least = 1, .most = node_limit})};
  }
};

static_assert(topology<complete>);

}  // namespace gossip
