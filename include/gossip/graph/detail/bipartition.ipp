// Definitions of graph/bipartition.hpp.
#pragma once

#include <gossip/graph/bipartition.hpp>

#include <string>

#include <gossip/core/error.hpp>
#include <gossip/core/inline.hpp>
#include <gossip/core/node.hpp>

namespace gossip {

GOSSIP_INLINE std::vector<bool> odd_distances(graph const &g) {
  std::vector<bool> odd(g.nodes()), seen(g.nodes());
  std::vector<node> queue;
  for (std::size_t start = 0; start < g.nodes(); ++start) {
    if (seen[start]) continue;
    seen[start] = true;
    queue.assign(1, static_cast<node>(start));
    for (std::size_t next = 0; next < queue.size(); ++next)
      for (node const j : g.neighbors(queue[next])) {
        if (seen[j]) continue;
        seen[j] = true;
        odd[j] = !odd[queue[next]];
        queue.push_back(j);
      }
  }
  return odd;
}

GOSSIP_INLINE std::vector<bool> odd_side(char const *where, graph const &g) {
  if (g.directed()) throw input_error(where, "an undirected graph", "a directed graph");
  std::vector<bool> odd = odd_distances(g);
  for (edge const e : g.edge_list())
    if (odd[e.from] == odd[e.to])
      throw input_error(where, "a bipartite graph, such as a chain or an even ring",
                        "a graph with an odd cycle through the edge of " + std::to_string(e.from) +
                            " and " + std::to_string(e.to));
  return odd;
}

}  // namespace gossip
