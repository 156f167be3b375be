// Every node with the nearest ones on a ring, as many on either side.
#pragma once

#include <cstddef>
#include <cstdint>

#include <gossip/core/described.hpp>
#include <gossip/topology/detail/ring_lattice_edges.hpp>
#include <gossip/topology/topology.hpp>

namespace gossip {

/// A ring on which every node has degree / 2 neighbours on either side; the degree is even, from 2
/// to below the number of nodes.
struct ring_lattice {
  std::size_t nodes = 16;
  std::size_t degree = 4;

  graph_size size() const {
    return {nodes, static_cast<double>(nodes) * static_cast<double>(degree) / 2.0};
  }
  graph build(std::uint64_t /*seed*/ = 0) const {
    detail::require_lattice("ring_lattice", "degree", nodes, degree);
    return graph::undirected(nodes, detail::ring_lattice_edges(nodes, degree));
  }

  static constexpr char const *name = "ring_lattice";
  static constexpr char const *meaning = "every node is joined with its nearest nodes on a ring";
  static constexpr auto members() {
    return member_list{described("nodes", &ring_lattice::nodes, "number of nodes",
                                 {.least = 1, .most = node_limit}),
                       described("degree", &ring_lattice::degree, "number of neighbors of a node",
                                 {.most = node_limit})};
  }
};

static_assert(topology<ring_lattice>);

}  // namespace gossip
