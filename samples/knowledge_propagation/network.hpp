// The network: its graph, who the seeds are, and how central and how far from them every node is.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <gossip/core/node.hpp>
#include <gossip/graph/graph.hpp>

#include "arguments.hpp"

namespace propagation {

/// Each node's, (n).
struct network {
  gossip::graph graph;
  std::vector<gossip::node> seeds;      ///< ascending, not (n)
  std::vector<std::uint32_t> distance;  ///< hops to the nearest seed
  std::vector<double> closeness;        ///< (n - 1) / sum of hops to all others
  std::vector<double> betweenness;      ///< shortest paths through it, Brandes 2001

  std::size_t nodes() const { return graph.nodes(); }
  std::uint32_t farthest() const;
};

/// Throws input_error for a graph that is directed or not connected, and for seeds that it has not.
network build_network(arguments const &a);

/// Hops from the nearest source; ~0 where there is no path. O(n + arcs).
std::vector<std::uint32_t> hops(gossip::graph const &g, std::span<gossip::node const> sources);

}  // namespace propagation
