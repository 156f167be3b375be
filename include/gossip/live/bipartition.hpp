// The two parts of a bipartite graph: learners that ask for averages, and learners that answer.
#pragma once

#include <vector>

#include <gossip/graph/bipartition.hpp>
#include <gossip/graph/graph.hpp>
#include <gossip/mixing/weights.hpp>

namespace gossip::live {

/// The active nodes: every edge joins an active node with a passive one. Throws input_error for a
/// graph that is directed or not bipartite.
inline std::vector<bool> active_side(graph const &g) {
  return odd_side("live ad_psgd", g);
}

/// The graph without the edges that join two nodes of one part, where parts are by the distance
/// from the first node of each component: bipartite, and as connected as before.
inline graph made_bipartite(graph const &g) {
  gossip::detail::require_undirected("live ad_psgd", g);
  std::vector<bool> const odd = odd_distances(g);
  std::vector<edge> kept;
  for (edge const e : g.edge_list())
    if (odd[e.from] != odd[e.to]) kept.push_back(e);
  return graph::undirected(g.nodes(), kept);
}

}  // namespace gossip::live
