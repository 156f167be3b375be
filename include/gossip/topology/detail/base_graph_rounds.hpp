// The rounds of a Base-(k+1) graph. Y. Takezawa, R. Sato, H. Bao, K. Niwa, M. Yamada, "Beyond
// exponential graph: communication-efficient topologies for decentralized learning via finite-time
// convergence", NeurIPS 2023, Algorithms 1 to 3.
#pragma once

#include <cstddef>
#include <vector>

#include <gossip/core/node.hpp>

namespace gossip::detail {

/// An edge of a round and the weight that its ends give each other.
struct weighted_edge {
  node from = 0, to = 0;
  double weight = 0;
};
using weighted_round = std::vector<weighted_edge>;

/// Algorithm 3: the part of n with small factors on its own where that is shorter. After all rounds
/// every node has the mean; no node has more than `peers` neighbours in one.
std::vector<weighted_round> base_graph_rounds(std::size_t n, std::size_t peers);

}  // namespace gossip::detail

#ifndef GOSSIP_COMPILED
#include <gossip/topology/detail/base_graph_rounds.ipp>
#endif
