// A grid of rows and columns whose borders are joined: every node has four neighbours.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <gossip/core/described.hpp>
#include <gossip/topology/detail/require.hpp>
#include <gossip/topology/topology.hpp>

namespace gossip {

/// A two-dimensional torus; node r * columns + c. Sides are at least 3: with 2, the neighbour above
/// and the one below would be the same node.
struct torus {
  std::size_t rows = 4;
  std::size_t columns = 4;

  graph_size size() const {
    return {rows * columns, 2.0 * static_cast<double>(rows) * static_cast<double>(columns)};
  }
  graph build(std::uint64_t /*seed*/ = 0) const {
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

  static constexpr char const *name = "torus";
  static constexpr char const *meaning = "two-dimensional grid whose opposite borders are joined";
  static constexpr auto members() {
    return member_list{described("rows", &torus::rows, "number of rows of the grid",
                                 {.least = 3, .most = node_limit}),
                       described("columns", &torus::columns, "number of columns of the grid",
                                 {.least = 3, .most = node_limit})};
  }
};

static_assert(topology<torus>);

}  // namespace gossip
