// Definitions of topology/group_grid.hpp.
#pragma once

#include <gossip/topology/group_grid.hpp>

#include <cmath>
#include <utility>

#include <gossip/core/inline.hpp>
#include <gossip/core/random.hpp>
#include <gossip/core/random_nodes.hpp>
#include <gossip/topology/detail/require.hpp>

namespace gossip {

GOSSIP_INLINE graph_size group_grid::size() const {
  double const n = static_cast<double>(nodes), pairs = n * (n - 1) / 2, one = edges_of_pass();
  double const chance = pairs > 0 ? one / pairs : 0.0;
  double const never = std::pow(1 - chance, static_cast<double>(passes) - 1);
  return {nodes, one + (pairs - one) * (1 - never)};
}

GOSSIP_INLINE graph group_grid::build(std::uint64_t seed) const {
  detail::require_at_least("group_grid", "nodes", 1, nodes);
  detail::require_at_least("group_grid", "side", 2, side);
  detail::require_at_least("group_grid", "passes", 1, passes);
  detail::require_edges_fit("group_grid", static_cast<double>(nodes - 1));
  detail::require_edges_fit("group_grid", edges_of_pass() * static_cast<double>(passes));
  std::size_t const d = dimensions();
  std::vector<graph> rounds;
  for (std::size_t pass = 0; pass < passes; ++pass) {
    auto const standing = nodes_of_cells(seed, pass);
    std::size_t stride = 1;
    for (std::size_t k = 0; k < d; ++k, stride *= side) rounds.push_back(joined(standing, stride));
  }
  if (rounds.size() == 1) return rounds.front();
  return graph::changing(std::move(rounds));
}

GOSSIP_INLINE std::vector<node> group_grid::nodes_of_cells(std::uint64_t seed,
                                                           std::size_t pass) const {
  if (pass > 0) {
    keyed_random random(seed, purpose::topology, 0, pass);
    return random_nodes(nodes, nodes, [&random] { return random.uniform(); });
  }
  std::vector<node> in_order(nodes);
  for (std::size_t i = 0; i < nodes; ++i) in_order[i] = static_cast<node>(i);
  return in_order;
}

GOSSIP_INLINE graph group_grid::joined(std::vector<node> const &standing,
                                       std::size_t stride) const {
  std::vector<edge> edges;
  for (std::size_t cell = 0; cell < nodes; ++cell)
    for (std::size_t t = cell / stride % side + 1, other = cell + stride; t < side && other < nodes;
         ++t, other += stride)
      edges.push_back({standing[cell], standing[other]});
  return graph::undirected(nodes, edges);
}

GOSSIP_INLINE double group_grid::edges_of_pass() const {
  auto const pairs = [](std::size_t members) {
    return static_cast<double>(members) * (static_cast<double>(members) - 1) / 2;
  };
  double edges = 0;
  std::size_t stride = 1;
  for (std::size_t k = 0; k < dimensions(); ++k, stride *= side) {
    std::size_t const whole = nodes / stride / side, rest = nodes - whole * stride * side;
    edges += static_cast<double>(whole * stride) * pairs(side);
    edges += static_cast<double>(rest % stride) * pairs(rest / stride + 1);
    edges += static_cast<double>(stride - rest % stride) * pairs(rest / stride);
  }
  return edges;
}

}  // namespace gossip
