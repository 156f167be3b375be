// Definitions of topology/dumbbell.hpp.
#pragma once

#include <gossip/topology/dumbbell.hpp>

#include <vector>

#include <gossip/core/inline.hpp>
#include <gossip/topology/detail/require.hpp>

namespace gossip {

GOSSIP_INLINE graph dumbbell::build(std::uint64_t /*seed*/) const {
  detail::require_at_least("dumbbell", "clique", 1, clique);
  detail::require_edges_fit("dumbbell", size().edges);
  std::size_t const nodes = 2 * clique + between;
  std::vector<edge> edges;
  edges.reserve(static_cast<std::size_t>(size().edges));
  for (std::size_t const first : {std::size_t{0}, clique + between})
    for (std::size_t i = first; i < first + clique; ++i)
      for (std::size_t j = i + 1; j < first + clique; ++j)
        edges.push_back({static_cast<node>(i), static_cast<node>(j)});
  for (std::size_t i = clique - 1; i < clique + between; ++i)
    edges.push_back({static_cast<node>(i), static_cast<node>(i + 1)});
  return graph::undirected(nodes, edges);
}

}  // namespace gossip
