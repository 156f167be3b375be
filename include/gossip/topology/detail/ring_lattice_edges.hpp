// The edges of a ring lattice, which other topologies start from.
#pragma once

#include <cstddef>
#include <vector>

#include <gossip/graph/graph.hpp>

namespace gossip::detail {

/// Throws input_error unless a ring lattice of so many nodes and neighbours exists.
void require_lattice(char const *where, char const *field, std::size_t nodes, std::size_t degree);

/// Node i with i + 1, ..., i + degree / 2 modulo nodes; nearer ones first.
std::vector<edge> ring_lattice_edges(std::size_t nodes, std::size_t degree);

}  // namespace gossip::detail

#ifndef GOSSIP_COMPILED
#include <gossip/topology/detail/ring_lattice_edges.ipp>
#endif
