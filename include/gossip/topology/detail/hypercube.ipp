// Definitions of topology/hypercube.hpp.
#pragma once

#include <gossip/topology/hypercube.hpp>

#include <string>
#include <vector>

#include <gossip/core/inline.hpp>
#include <gossip/topology/detail/require.hpp>

namespace gossip {

GOSSIP_INLINE graph_size hypercube::size() const {
  if (dimension > most)
    throw input_error("hypercube", "a dimension of at most " + std::to_string(most),
                      std::to_string(dimension));
  std::size_t const nodes = std::size_t{1} << dimension;
  return {nodes, static_cast<double>(nodes) / 2 * static_cast<double>(dimension)};
}

GOSSIP_INLINE graph hypercube::build(std::uint64_t /*seed*/) const {
  auto const [nodes, count] = size();
  detail::require_edges_fit("hypercube", count);
  std::vector<edge> edges;
  edges.reserve(static_cast<std::size_t>(count));
  for (std::size_t i = 0; i < nodes; ++i)
    for (std::size_t bit = 1; bit < nodes; bit *= 2)
      if ((i & bit) == 0) edges.push_back({static_cast<node>(i), static_cast<node>(i + bit)});
  return graph::undirected(nodes, edges);
}

}  // namespace gossip
