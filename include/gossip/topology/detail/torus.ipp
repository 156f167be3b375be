// Definitions of topology/torus.hpp.
#pragma once

#include <gossip/topology/torus.hpp>

#include <vector>

#include <gossip/core/inline.hpp>
#include <gossip/topology/detail/require.hpp>

namespace gossip {

GOSSIP_INLINE graph torus::build(std::uint64_t /*seed*/) const {
  detail::require_at_least("torus", "rows", 3, rows);
  detail::require_at_least("torus", "columns", 3, columns);
  detail::require_edges_fit("torus", size().edges);
  auto const at = [this](std::size_t r, std::size_t c) {
    return static_cast<node>(r % rows * columns + c % columns);
  };
  std::vector<edge> edges;
  edges.reserve(2 * rows * columns);
  for (std::size_t r = 0; r < rows; ++r)
    for (std::size_t c = 0; c < columns; ++c) {
      edges.push_back({at(r, c), at(r, c + 1)});
      edges.push_back({at(r, c), at(r + 1, c)});
    }
  return graph::undirected(rows * columns, edges);
}

}  // namespace gossip
