// One peer a round on the exponential graph. M. Assran, N. Loizou, N. Ballas, M. Rabbat,
// "Stochastic gradient push for distributed deep learning", ICML 2019; B. Ying, K. Yuan, Y. Chen,
// H. Hu, P. Pan, W. Yin, NeurIPS 2021.
#pragma once

#include <cstddef>
#include <cstdint>

#include <gossip/core/described.hpp>
#include <gossip/topology/exponential.hpp>
#include <gossip/topology/topology.hpp>

namespace gossip {

/// Directed: in round k node i + 2^(k mod tau) sends to node i (modulo n), tau = ceil(log2 n). With
/// weights of 1/2 the product of tau rounds is the mean of all nodes where n is a power of two.
struct one_peer_exponential {
  std::size_t nodes = 16;

  graph_size size() const { return exponential{nodes}.size(); }
  graph build(std::uint64_t /*seed*/ = 0) const;

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

#ifndef GOSSIP_COMPILED
#include <gossip/topology/detail/one_peer_exponential.ipp>
#endif
