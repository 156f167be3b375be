// Groups on a grid that average one dimension after another. M. Ryabinin, E. Gorbunov,
// V. Plokhotnyuk, G. Pekhimenko, "Moshpit SGD: communication-efficient decentralized training on
// heterogeneous unreliable devices", NeurIPS 2021, Algorithm 1.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <gossip/core/described.hpp>
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
  graph_size size() const;
  graph build(std::uint64_t seed) const;

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
  std::vector<node> nodes_of_cells(std::uint64_t seed, std::size_t pass) const;

  /// Cliques along the dimension of this stride.
  graph joined(std::vector<node> const &standing, std::size_t stride) const;

  double edges_of_pass() const;
};

static_assert(topology<group_grid>);

}  // namespace gossip

#ifndef GOSSIP_COMPILED
#include <gossip/topology/detail/group_grid.ipp>
#endif
