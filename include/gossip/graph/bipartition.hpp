// The two parts of a bipartite graph.
#pragma once

#include <cstddef>
#include <vector>

#include <gossip/graph/graph.hpp>

namespace gossip {

/// Of every node whether its distance from the first node of its component is odd.
std::vector<bool> odd_distances(graph const &g);

/// Of every node whether it is in the part without the first node of its component: every edge
/// joins a node of that part with another. Throws input_error, which names `where`, for a graph
/// that is directed or not bipartite.
std::vector<bool> odd_side(char const *where, graph const &g);

}  // namespace gossip

#ifndef GOSSIP_COMPILED
#include <gossip/graph/detail/bipartition.ipp>
#endif
