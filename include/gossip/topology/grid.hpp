// A grid of rows and columns: every node with those above, below, left and right of it.
#pragma once

#include <cstddef>
#include <cstdint>

#include <gossip/core/described.hpp>
#include <gossip/topology/topology.hpp>

namespace gossip {

/// A two-dimensional grid with borders, a mesh; node r * columns + c.
struct grid {
  std::size_t rows = 4;
  std::size_t columns = 4;

  graph_size size() const {
    double const r = static_cast<double>(rows), c = static_cast<double>(columns);
    return {rows * columns, r * (c - 1.0) + c * (r - 1.0)};
  }
  graph build(std::uint64_t /*seed*/ = 0) const;

  static constexpr char const *name = "grid";
  static constexpr char const *meaning = "two-dimensional grid";
  static constexpr auto members() {
    return member_list{described("rows", &grid::rows, "number of rows of the grid",
                                 {.least = 1, .most = node_limit}),
                       described("columns", &grid::columns, "number of columns of the grid",
                                 {.least = 1, .most = node_limit})};
  }
};

static_assert(topology<grid>);

}  // namespace gossip

#ifndef GOSSIP_COMPILED
#include <gossip/topology/detail/grid.ipp>
#endif
