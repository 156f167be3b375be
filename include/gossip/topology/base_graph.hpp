// The Base-(k+1) graph: few peers a round, and the mean of all nodes after few rounds. Y. Takezawa,
// R. Sato, H. Bao, K. Niwa, M. Yamada, NeurIPS 2023.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <gossip/core/described.hpp>
#include <gossip/core/error.hpp>
#include <gossip/topology/detail/base_graph_rounds.hpp>
#include <gossip/topology/detail/require.hpp>
#include <gossip/topology/topology.hpp>

namespace gossip {

/// Changes from round to round; a node has at most `peers` neighbours in each. With the weights
/// `base_graph_weights` of as many peers, all nodes have their mean after a period of at most
/// 2 log(nodes) / log(peers + 1) + 2 rounds, for any number of nodes.
struct base_graph {
  std::size_t nodes = 16;
  std::size_t peers = 1;

  graph build(std::uint64_t /*seed*/ = 0) const {
    detail::require_at_least("base_graph", "nodes", 1, nodes);
    detail::require_at_least("base_graph", "peers", 1, peers);
    if (peers >= nodes && nodes > 1)
      throw input_error("base_graph: peers", "a number below nodes (" + std::to_string(nodes) + ")",
                        std::to_string(peers));
    double const n = static_cast<double>(nodes), k = static_cast<double>(peers);
    detail::require_edges_fit("base_graph", n * k * (std::log(n) / std::log(k + 1.0) + 1.0));
    std::vector<graph> graphs;
    for (detail::weighted_round const &round : detail::base_graph_rounds(nodes, peers)) {
      std::vector<edge> edges;
      for (detail::weighted_edge const &e : round) edges.push_back({e.from, e.to});
      graphs.push_back(graph::undirected(nodes, edges));
    }
    if (graphs.empty()) return graph::undirected(nodes, {});
    if (graphs.size() == 1) return graphs.front();
    return graph::changing(std::move(graphs));
  }

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
