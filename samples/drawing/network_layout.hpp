// Places for the nodes of a network on a map.
#pragma once

#include <utility>
#include <vector>

#include <gossip/graph/graph.hpp>

namespace drawing {

/// (x, y) of each node between 0 and 1, by the forces of Fruchterman and Reingold ("Graph drawing
/// by force-directed placement", 1991) as Boost.Graph moves nodes; the same for the same
/// graph, which is undirected.
std::vector<std::pair<double, double>> layout(gossip::graph const &graph);

}  // namespace drawing
