// p_ij = 1 / (1 + out-degree of j): what a node has, in equal shares for itself and all it reaches.
#pragma once

#include <cstddef>

#include <gossip/core/described.hpp>
#include <gossip/mixing/weights.hpp>

namespace gossip {

/// Column stochastic: sums over the network stay, of a directed graph too, but rows sum to 1 only
/// where degrees are equal. Row i has the nodes that send to i. For `push_sum`, which divides by
/// what becomes of a 1.
struct equal_shares {
  mixing_matrix weights(graph const &g) const;

  static constexpr char const *name = "equal_shares";
  static constexpr char const *meaning =
      "column-stochastic: a node splits its model in equal shares, for itself and its "
      "out-neighbors";
  static constexpr member_list<> members() { return {}; }
};

static_assert(weight_rule<equal_shares>);

}  // namespace gossip

#ifndef GOSSIP_COMPILED
#include <gossip/mixing/detail/equal_shares.ipp>
#endif
