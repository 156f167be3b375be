// Definitions of topology/watts_strogatz.hpp.
#pragma once

#include <gossip/topology/watts_strogatz.hpp>

#include <unordered_set>
#include <vector>

#include <gossip/core/error.hpp>
#include <gossip/core/inline.hpp>
#include <gossip/core/number_text.hpp>
#include <gossip/core/random.hpp>
#include <gossip/topology/detail/connected_draw.hpp>
#include <gossip/topology/detail/ring_lattice_edges.hpp>

namespace gossip {

GOSSIP_INLINE graph watts_strogatz::build(std::uint64_t seed) const {
  detail::require_lattice("watts_strogatz", "degree", nodes, degree);
  if (!(rewired >= 0 && rewired <= 1))
    throw input_error("watts_strogatz: rewired", "a probability from 0 to 1",
                      detail::shortest(rewired));
  return detail::connected_draw(
      {.refusal = "watts_strogatz: found no connected graph in 100 draws; a larger degree helps"},
      [&](std::uint64_t attempt) { return draw(seed, attempt); });
}

GOSSIP_INLINE graph watts_strogatz::draw(std::uint64_t seed, std::uint64_t attempt) const {
  keyed_random random(seed, purpose::topology, 0, attempt);
  std::vector<edge> edges = detail::ring_lattice_edges(nodes, degree);
  std::unordered_set<std::uint64_t> joined;
  joined.reserve(2 * edges.size());
  auto const key = [](node a, node b) {
    return (std::uint64_t{a < b ? a : b} << 32) | (a < b ? b : a);
  };
  std::vector<std::size_t> degrees(nodes, degree);
  for (edge const e : edges) joined.insert(key(e.from, e.to));
  for (edge &e : edges) {
    if (random.uniform() >= rewired || degrees[e.from] + 1 >= nodes) continue;
    node other = e.from;
    while (other == e.from || joined.contains(key(e.from, other)))
      other = random.below(static_cast<std::uint32_t>(nodes));
    joined.erase(key(e.from, e.to));
    joined.insert(key(e.from, other));
    --degrees[e.to];
    ++degrees[other];
    e.to = other;
  }
  return graph::undirected(nodes, edges);
}

}  // namespace gossip
