// Definitions of topology/random_out.hpp.
#pragma once

#include <gossip/topology/random_out.hpp>

#include <algorithm>
#include <vector>

#include <gossip/core/elementary.hpp>
#include <gossip/core/error.hpp>
#include <gossip/core/inline.hpp>
#include <gossip/core/random.hpp>
#include <gossip/topology/detail/geometric_skips.hpp>
#include <gossip/topology/detail/require.hpp>

namespace gossip {

GOSSIP_INLINE graph random_out::build(std::uint64_t seed) const {
  detail::require_at_least("random_out", "nodes", 1, nodes);
  if (degree >= nodes && nodes > 1)
    throw input_error("random_out: degree", "a number below nodes (" + std::to_string(nodes) + ")",
                      std::to_string(degree));
  detail::require_edges_fit("random_out", size().edges);
  return detail::connected_draw(
      {.refusal = "random_out: found no strongly connected graph of " + std::to_string(nodes) +
                  " nodes and degree " + std::to_string(degree) + "; " + usual_degree(),
       .directed = true,
       .log_alone = log_unheard()},
      [&](std::uint64_t attempt) { return draw(seed, attempt); });
}

GOSSIP_INLINE double random_out::log_unheard() const {
  double const n = static_cast<double>(nodes), share = static_cast<double>(degree) / (n - 1);
  if (nodes == 1 || degree + 1 == nodes) return 0;
  return elementary::log(n) + (n - 1) * detail::log_of_no_edge(share);
}

GOSSIP_INLINE std::string random_out::usual_degree() const {
  std::size_t const usual =
      static_cast<std::size_t>(elementary::log(static_cast<double>(nodes))) + 4;
  if (usual < nodes) return std::to_string(usual) + " (ln n + 3) is usually enough";
  return std::to_string(nodes - 1) + ", to all other nodes, is always enough";
}

GOSSIP_INLINE graph random_out::draw(std::uint64_t seed, std::uint64_t attempt) const {
  std::vector<edge> arcs;
  arcs.reserve(nodes * degree);
  std::vector<node> chosen;
  for (std::size_t i = 0; nodes > 1 && i < nodes; ++i) {
    keyed_random random(seed, purpose::topology, static_cast<std::uint32_t>(i), attempt);
    chosen.clear();
    while (chosen.size() < degree) {
      node const other = random.below(static_cast<std::uint32_t>(nodes));
      if (other == i || std::ranges::find(chosen, other) != chosen.end()) continue;
      chosen.push_back(other);
      arcs.push_back({static_cast<node>(i), other});
    }
  }
  return graph::directed(nodes, arcs);
}

}  // namespace gossip
