// Definitions of mixing/equi_weights.hpp.
#pragma once

#include <gossip/mixing/equi_weights.hpp>

#include <string>

#include <gossip/core/error.hpp>
#include <gossip/core/inline.hpp>
#include <gossip/core/number_text.hpp>

namespace gossip {

GOSSIP_INLINE by_round<mixing_matrix> equi_weights::weights(graph const &g) const {
  if (!(damping > 0 && damping <= 1))
    throw input_error("equi_weights: damping", "a number above 0, at most 1",
                      detail::shortest(damping));
  if (g.rounds() == nullptr) return of(g, 1.0);
  return g.rounds()->map([this](graph const &round) { return of(round, damping); });
}

GOSSIP_INLINE mixing_matrix equi_weights::of(graph const &g, double damping) {
  graph const reversed = g.directed() ? g.reversed() : graph();
  graph const &heard = g.directed() ? reversed : g;
  std::size_t const n = g.nodes();
  double const moved = damping * static_cast<double>(n - 1) / static_cast<double>(n);
  if (n < 2 || (!g.directed() && is_matching(g)))
    return mixing_matrix::over(g, [moved](std::size_t, std::size_t) { return moved; });
  if (auto const unlike = without_offsets_of_0(heard))
    throw input_error("equi_weights", "offsets that are common to all nodes, or pairs",
                      "node " + std::to_string(*unlike) +
                          (*unlike == 0 ? " without neighbors" : " without the offsets of node 0"));
  // Undirected: 2 M equal shares, one for each direction; both lead to the opposite node.
  bool const both_ways = !g.directed() && g.degree(0) % 2 == 1;
  double const share = moved / static_cast<double>(g.degree(0) + (both_ways ? 1 : 0));
  return mixing_matrix::over(heard, [=](std::size_t i, std::size_t j) {
    return both_ways && (i + n / 2) % n == j ? 2 * share : share;
  });
}

GOSSIP_INLINE std::optional<std::size_t> equi_weights::without_offsets_of_0(graph const &g) {
  if (g.degree(0) == 0) return 0;
  for (std::size_t i = 0; i < g.nodes(); ++i) {
    if (g.degree(i) != g.degree(0)) return i;
    for (node const a : g.neighbors(0))
      if (!g.has_edge(i, (i + a) % g.nodes())) return i;
  }
  return std::nullopt;
}

}  // namespace gossip
