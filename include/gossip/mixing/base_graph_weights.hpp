// The weights of the Base-(k+1) graph. Y. Takezawa, R. Sato, H. Bao, K. Niwa, M. Yamada, NeurIPS
// 2023.
#pragma once

#include <cstddef>
#include <vector>

#include <gossip/core/described.hpp>
#include <gossip/mixing/weights.hpp>
#include <gossip/topology/detail/base_graph_rounds.hpp>

namespace gossip {

/// Symmetric, doubly stochastic matrices that rounds take in turns; their product is the mean of
/// all nodes, whatever the number of nodes. For the topology `base_graph` of as many peers.
struct base_graph_weights {
  std::size_t peers = 1;

  /// Throws input_error where an edge of a round is not one of the graph.
  std::vector<mixing_matrix> weights(graph const &g) const;

  static constexpr char const *name = "base_graph";
  static constexpr char const *meaning =
      "weights of the topology base_graph with an equal number of peers";
  static constexpr auto members() {
    return member_list{described("peers", &base_graph_weights::peers,
                                 "maximum number of neighbors of a node in a round",
                                 {.least = 1, .most = node_limit})};
  }

 private:
  static mixing_matrix of_round(detail::weighted_round const &round, graph const &g);
};

static_assert(weight_rule<base_graph_weights>);

}  // namespace gossip

#ifndef GOSSIP_COMPILED
#include <gossip/mixing/detail/base_graph_weights.ipp>
#endif
