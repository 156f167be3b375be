// Every node hears from those 1, 2, 4, ... places further on a ring. B. Ying, K. Yuan, Y. Chen,
// H. Hu, P. Pan, W. Yin, "Exponential graph is provably efficient for decentralized deep training",
// NeurIPS 2021.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <gossip/core/described.hpp>
#include <gossip/topology/detail/require.hpp>
#include <gossip/topology/topology.hpp>

namespace gossip {

/// The distances of a static exponential graph: the powers of two below n.
inline std::vector<std::size_t> exponential_distances(std::size_t nodes) {
  std::vector<std::size_t> distances;
  for (std::size_t d = 1; d < nodes; d *= 2) distances.push_back(d);
  return distances;
}

/// Directed: node i + 2^k sends to node i (modulo n), for all 2^k < n; degree ceil(log2 n).
struct exponential {
  std::size_t nodes = 16;

  graph_size size() const {
    return {nodes,
            static_cast<double>(nodes) * static_cast<double>(exponential_distances(nodes).size())};
  }
  graph build(std::uint64_t /*seed*/ = 0) const {
    detail::require_at_least("exponential", "nodes", 1, nodes);
    auto const distances = exponential_distances(nodes);
    detail::require_edges_fit("exponential", size().edges);
    std::vector<edge> edges;
    edges.reserve(nodes * distances.size());
    for (std::size_t i = 0; i < nodes; ++i)
      for (std::size_t const d : distances)
        edges.push_back({static_cast<node>((i + d) % nodes), static_cast<node>(i)});
    return graph::directed(nodes, edges);
  }

  static constexpr char const *name = "exponential";
  static constexpr char const *meaning =
      "directed: node i receives from the nodes i + 1, i + 2, i + 4, ...";
  static constexpr auto members() {
    return member_list{described("nodes", &exponential::nodes, "number of nodes",
                                 {.least = 1, .most = node_limit})};
  }
};

static_assert(topology<exponential>);

}  // namespace gossip
