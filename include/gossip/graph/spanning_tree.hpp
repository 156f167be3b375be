// A tree that joins all nodes of a connected graph.
#pragma once

#include <cstddef>

#include <gossip/graph/graph.hpp>

namespace gossip {

/// Of an undirected connected graph the tree that a search by breadth from node 0 finds, neighbours
/// in ascending order: no path from node 0 is longer than it must be. A tree is its own spanning
/// tree. Throws input_error for other graphs.
graph spanning_tree(graph const &g);

}  // namespace gossip

#ifndef GOSSIP_COMPILED
#include <gossip/graph/detail/spanning_tree.ipp>
#endif
