// Groups on a grid that average one dimension after another. M. Ryabinin, E. Gorbunov,
// V. Plokhotnyuk, G. Pekhimenko, "Moshpit SGD: communication-efficient decentralized training on
// heterogeneous unreliable devices", NeurIPS 2021, Algorithm 1.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include <gossip/core/described.hpp>
#include <gossip/core/random.hpp>
#include <gossip/core/random_nodes.hpp>
#include <gossip/topology/detail/require.hpp>
#include <gossip/topology/topology.hpp>

namespace gossip {

/// Changes: nodes stand on a grid of d dimensions, the least number with a cell for each, and round
/// r joins nodes with equal coordinates but for number r mod d. Equal weights in a group are doubly
/// stochastic; after d rounds all of side^d nodes have their mean. With fewer nodes the last cells
/// are empty and groups smaller. Node k stands on cell k in the first d rounds, and in a random
/// order, drawn anew, in each further pass over the dimensions.
struct group_grid {
  std::size_t nodes = 16;
  std::size_t side = 4;
  std::size_t passes = 1;

  /// At least 1.
  std::size_t dimensions() const {
    std::size_t count = 1;
    if (side < 2) return count;
    for (std::size_t last = (nodes - 1) / side; last > 0; last /= side) ++count;
    return count;
  }

  /// The union of all rounds; a pair is in a later pass with the chance of any other.
  graph_size size() const {
    double const n = static_cast<double>(nodes), pairs = n * (n - 1) / 2, one = edges_of_pass();
    double const chance = pairs > 0 ? one / pairs : 0.0;
    double const never = std::pow(1 - chance, static_cast<double>(passes) - 1);
    return {nodes, one + (pairs - one) * (1 - never)};
  }
  graph build(std::uint64_t seed) const {
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
      for (std::size_t k = 0; k < d; ++k, stride *= side)
        rounds.push_back(joined(standing, stride));
    }
    if (rounds.size() == 1) return rounds.front();
    return graph::changing(std::move(rounds));
  }

  static constexpr char const *name = "group_grid";
  static constexpr char const *meaning =
      "groups of a grid, one dimension per round: consensus of side^d nodes after d rounds";
  static constexpr auto members() {
    return member_list{
        described("nodes", &group_grid::nodes, "number of nodes", {.least = 1, .most = node_limit}),
        described("side", &group_grid::side, "maximum number of nodes of a group",
                  {.least = 2, .most = node_limit}),
        described("passes", &group_grid::passes,
                  "number of passes over the dimensions, the first in order, later ones in random "
                  "order; then repeated",
                  {.least = 1})};
  }

 private:
  std::vector<node> nodes_of_cells(std::uint64_t seed, std::size_t pass) const {
    if (pass > 0) {
      keyed_random random(seed, purpose::topology, 0, pass);
      return random_nodes(nodes, nodes, [&random] { return random.uniform(); });
    }
    std::vector<node> in_order(nodes);
    for (std::size_t i = 0; i < nodes; ++i) in_order[i] = static_cast<node>(i);
    return in_order;
  }

  /// Cliques along the dimension of this stride.
  graph joined(std::vector<node> const &standing, std::size_t stride) const {
    std::vector<edge> edges;
    for (std::size_t cell = 0; cell < nodes; ++cell)
      for (std::size_t t = cell / stride % side + 1, other = cell + stride;
           t < side && other < nodes; ++t, other += stride)
        edges.push_back({standing[cell], standing[other]});
    return graph::undirected(nodes, edges);
  }

  double edges_of_pass() const {
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
};

static_assert(topology<group_grid>);

}  // namespace gossip
