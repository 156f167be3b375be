// Definitions of graph/components.hpp.
#pragma once

#include <gossip/graph/components.hpp>

#include <gossip/core/inline.hpp>

namespace gossip {

GOSSIP_INLINE bool is_strongly_connected(graph const &g) {
  auto const all_reached = [](graph const &from) {
    std::vector<bool> seen(from.nodes(), false);
    std::vector<node> next{0};
    std::size_t reached = seen[0] = true;
    while (!next.empty()) {
      node const i = next.back();
      next.pop_back();
      for (node const j : from.neighbors(i)) {
        if (seen[j]) continue;
        seen[j] = true;
        ++reached;
        next.push_back(j);
      }
    }
    return reached == from.nodes();
  };
  return g.nodes() == 0 || (all_reached(g) && (!g.directed() || all_reached(g.reversed())));
}

GOSSIP_INLINE graph largest_component(graph const &g) {
  component_map const map = components(g);
  if (map.sizes.size() <= 1) return g;
  std::vector<node> kept;
  kept.reserve(map.sizes[map.largest()]);
  for (std::size_t i = 0; i < g.nodes(); ++i)
    if (map.of[i] == map.largest()) kept.push_back(static_cast<node>(i));
  return g.induced(kept);
}

GOSSIP_INLINE void require_connected(graph const &g, std::string const &where,
                                     std::string const &remedy) {
  if (g.nodes() == 0) throw input_error(where, "at least one node", "none");
  component_map const map = components(g);
  if (map.sizes.size() == 1) return;
  throw input_error(where + ": the graph has " + std::to_string(map.sizes.size()) +
                    " components (the largest has " + std::to_string(map.sizes[map.largest()]) +
                    " of " + std::to_string(g.nodes()) + " nodes); " + remedy);
}

}  // namespace gossip
