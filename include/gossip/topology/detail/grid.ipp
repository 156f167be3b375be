// Definitions of topology/grid.hpp.
#pragma once

#include <gossip/topology/grid.hpp>

#include <vector>

#include <gossip/core/inline.hpp>
#include <gossip/topology/detail/require.hpp>

namespace gossip {

GOSSIP_INLINE graph grid::build(std::uint64_t /*seed*/) const {
  detail::require_at_least("grid", "rows", 1, rows);
  detail::require_at_least("grid", "columns", 1, columns);
  detail::require_edges_fit("grid", size().edges);
  std::vector<edge> edges;
  edges.reserve(2 * rows * columns);
  for (std::size_t i = 0; i < rows * columns; ++i) {
    if ((i + 1) % columns != 0) edges.push_back({static_cast<node>(i), static_cast<node>(i + 1)});
    if (i + columns < rows * columns)
      edges.push_back({static_cast<node>(i), static_cast<node>(i + columns)});
  }
  return graph::undirected(rows * columns, edges);
}

}  // namespace gossip
