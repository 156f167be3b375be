// Definitions of topology/barabasi_albert.hpp.
#pragma once

#include <gossip/topology/barabasi_albert.hpp>

#include <algorithm>
#include <string>
#include <vector>

#include <gossip/core/error.hpp>
#include <gossip/core/inline.hpp>
#include <gossip/core/random.hpp>
#include <gossip/topology/detail/require.hpp>

namespace gossip {

GOSSIP_INLINE graph barabasi_albert::build(std::uint64_t seed) const {
  detail::require_at_least("barabasi_albert", "edges_each", 1, edges_each);
  if (nodes <= edges_each)
    throw input_error("barabasi_albert: nodes",
                      "more than edges_each (" + std::to_string(edges_each) + ")",
                      std::to_string(nodes));
  detail::require_edges_fit("barabasi_albert", size().edges);
  keyed_random random(seed, purpose::topology, 0, 0);
  std::vector<edge> edges;
  std::vector<node> ends;  // a node stands here once for each of its edges
  edges.reserve(edges_each * (nodes - edges_each));
  ends.reserve(2 * edges.capacity());
  auto const join = [&](std::size_t a, std::size_t b) {
    edges.push_back({static_cast<node>(a), static_cast<node>(b)});
    ends.insert(ends.end(), {static_cast<node>(a), static_cast<node>(b)});
  };
  for (std::size_t i = 1; i <= edges_each; ++i) join(0, i);
  std::vector<node> chosen;
  for (std::size_t i = edges_each + 1; i < nodes; ++i) {
    chosen.clear();
    while (chosen.size() < edges_each) {
      node const other = ends[random.below(static_cast<std::uint32_t>(ends.size()))];
      if (std::ranges::find(chosen, other) == chosen.end()) chosen.push_back(other);
    }
    for (node const other : chosen) join(other, i);
  }
  return graph::undirected(nodes, edges);
}

}  // namespace gossip
