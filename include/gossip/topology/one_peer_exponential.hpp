// One peer a round on the exponential graph. M. Assran, N. Loizou, N. Ballas, M. Rabbat,
// "Stochastic gradient push for distributed deep learning", ICML 2019; B. Ying, K. Yuan, Y. Chen,
// H. Hu, P. Pan, W. Yin, NeurIPS 2021.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include <gossip/core/described.hpp>
#include <gossip/topology/detail/require.hpp>
#include <gossip/topology/exponential.hpp>
#include <gossip/topology/topology.hpp>

namespace gossip {

/// Directed: in round k node i + 2^(k mod tau) sends to node i (modulo n), tau = ceil(log2 n). With
/// weights of 1/2 the product of tau rounds is the mean of all nodes where n is a power of two.
struct one_peer_exponential {
  std::size_t nodes = 16;

  graph_size size() const { return exponential{nodes}.size(); }
  graph build(std::uint64_t /*seed*/ = 0) const {
    detail::require_at_least("one_peer_exponential", "nodes", 1, nodes);
    detail::require_edges_fit("one_peer_exponential", size().edges);
    std::vector<graph> rounds;
    for (std::size_t const d : exponential_distances(nodes)) {
      std::vector<edge> edges;
      edges.reserve(nodes);
      for (std::size_t i = 0; i < nodes; ++i)
        edges.push_back({static_cast<node>((i + d) % nodes), static_cast<node>(i)});
      rounds.push_back(graph::directed(nodes, edges));
    }
    if (rounds.size() < 2) return exponential{nodes}.build();
    return graph::changing(std::move(rounds));
  }

  static constexpr char const *name = "one_peer_exponential";
  static constexpr char const *meaning =
      "directed: node i receives from the node i + 1, i + 2, i + 4, ... in successive rounds";
  static constexpr auto members() {
    return member_list{described("nodes", &one_peer_exponential::nodes, "number of nodes",
                                 {.least = 1, .most = node_limit})};
  }
};

static_assert(topology<one_peer_exponential>);

}  // namespace gossip
