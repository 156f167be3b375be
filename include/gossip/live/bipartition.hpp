// The two parts of a bipartite graph: learners that ask for averages, and learners that answer.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include <gossip/core/error.hpp>
#include <gossip/core/node.hpp>
#include <gossip/graph/graph.hpp>
#include <gossip/mixing/weights.hpp>

namespace gossip::live {

namespace detail {

/// Of every node whether its distance from the first node of its component is odd.
inline std::vector<bool> odd_distances(graph const &g) {
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

}  // namespace detail

/// The active nodes: every edge joins an active node with a passive one. Throws input_error for a
/// graph that is directed or not bipartite.
inline std::vector<bool> active_side(graph const &g) {
  gossip::detail::require_undirected("live ad_psgd", g);
  std::vector<bool> const odd = detail::odd_distances(g);
  for (edge const e : g.edge_list())
    if (odd[e.from] == odd[e.to])
      throw input_error("live ad_psgd", "a bipartite graph, such as a chain or an even ring",
                        "one with an odd cycle through the edge of " + std::to_string(e.from) +
                            " and " + std::to_string(e.to));
  return odd;
}

/// The graph without the edges that join two nodes of one part, where parts are by the distance
/// from the first node of each component: bipartite, and as connected as before.
inline graph made_bipartite(graph const &g) {
  gossip::detail::require_undirected("live ad_psgd", g);
  std::vector<bool> const odd = detail::odd_distances(g);
  std::vector<edge> kept;
  for (edge const e : g.edge_list())
    if (odd[e.from] != odd[e.to]) kept.push_back(e);
  return graph::undirected(g.nodes(), kept);
}

}  // namespace gossip::live
