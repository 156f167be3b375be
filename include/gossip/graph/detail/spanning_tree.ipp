// Definitions of graph/spanning_tree.hpp.
#pragma once

#include <gossip/graph/spanning_tree.hpp>

#include <string>
#include <vector>

#include <gossip/core/error.hpp>
#include <gossip/core/inline.hpp>
#include <gossip/core/node.hpp>

namespace gossip {

GOSSIP_INLINE graph spanning_tree(graph const &g) {
  if (g.directed()) throw input_error("spanning_tree", "an undirected graph", "a directed graph");
  std::vector<bool> found(g.nodes(), false);
  std::vector<node> order;
  std::vector<edge> edges;
  if (g.nodes() > 0) {
    order.push_back(0);
    found[0] = true;
  }
  for (std::size_t k = 0; k < order.size(); ++k)
    for (node const j : g.neighbors(order[k])) {
      if (found[j]) continue;
      found[j] = true;
      order.push_back(j);
      edges.push_back({order[k], j});
    }
  if (order.size() < g.nodes())
    throw input_error(
        "spanning_tree", "a connected graph",
        std::to_string(g.nodes() - order.size()) + " nodes that cannot be reached from node 0");
  return graph::undirected(g.nodes(), edges);
}

}  // namespace gossip
