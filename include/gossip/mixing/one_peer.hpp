// One peer a round on the exponential graph, W of round k: half of node i and half of node
// i + 2^(k mod tau). B. Ying, K. Yuan, Y. Chen, H. Hu, P. Pan, W. Yin, NeurIPS 2021.
#pragma once

#include <cstddef>
#include <vector>

#include <gossip/core/described.hpp>
#include <gossip/mixing/weights.hpp>
#include <gossip/topology/exponential.hpp>

namespace gossip {

/// tau = ceil(log2 n) matrices that rounds take in turns; each is doubly stochastic, and the
/// product of tau in a row is the mean of all nodes where n is a power of two.
struct one_peer {
  std::vector<mixing_matrix> weights(graph const &g) const;

  static constexpr char const *name = "one_peer";
  static constexpr char const *meaning =
      "1/2 for node i and 1/2 for the node i + 1, i + 2, i + 4, ... in successive rounds";
  static constexpr member_list<> members() { return {}; }
};

static_assert(weight_rule<one_peer>);

}  // namespace gossip

#ifndef GOSSIP_COMPILED
#include <gossip/mixing/detail/one_peer.ipp>
#endif
