// The Base-(k+1) graph: few peers a round, and the mean of all nodes after few rounds. Y. Takezawa,
// R. Sato, H. Bao, K. Niwa, M. Yamada, NeurIPS 2023.
#pragma once

#include <cstddef>
#include <cstdint>

#include <gossip/core/described.hpp>
#include <gossip/topology/topology.hpp>

namespace gossip {

/// Changes from round to round; a node has at most `peers` neighbours in each. With the weights
/// `base_graph_weights` of as many peers, all nodes have their mean after a period of at most
/// 2 log(nodes) / log(peers + 1) + 2 rounds, for any number of nodes.
struct base_graph {
  std::size_t nodes = 16;
  std::size_t peers = 1;

  graph build(std::uint64_t /*seed*/ = 0) const;

  static constexpr char const *name = "base_graph";
  static constexpr char const *meaning =
      "few peers per round, exact consensus after few rounds; for the weights base_graph";
  static constexpr auto members() {
    return member_list{
        described("nodes", &base_graph::nodes, "number of nodes", {.least = 1, .most = node_limit}),
        described("peers", &base_graph::peers, "maximum number of neighbors of a node in a round",
                  {.least = 1, .most = node_limit})};
  }
};

static_assert(topology<base_graph>);

}  // namespace gossip

#ifndef GOSSIP_COMPILED
#include <gossip/topology/detail/base_graph.ipp>
#endif
