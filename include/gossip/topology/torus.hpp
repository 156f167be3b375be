// A grid of rows and columns whose borders are joined: every node has four neighbours.
#pragma once

#include <cstddef>
#include <cstdint>

#include <gossip/core/described.hpp>
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
  graph build(std::uint64_t /*seed*/ = 0) const;

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

#ifndef GOSSIP_COMPILED
#include <gossip/topology/detail/torus.ipp>
#endif
