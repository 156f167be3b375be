// p_ij = 1 / (1 + out-degree of j): what a node has, in equal shares for itself and all it reaches.
#pragma once

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include <gossip/core/described.hpp>
#include <gossip/mixing/weights.hpp>

namespace gossip {

/// Column stochastic: sums over the network stay, of a directed graph too, but rows sum to 1 only
/// where degrees are equal. Row i has the nodes that send to i. For `push_sum`, which divides by
/// what becomes of a 1.
struct equal_shares {
  mixing_matrix weights(graph const &g) const {
    graph const reversed = g.directed() ? g.reversed() : graph();
    graph const &sources = g.directed() ? reversed : g;
    std::vector<std::size_t> offsets{0};
    std::vector<node> columns;
    std::vector<double> shares;
    for (std::size_t i = 0; i < g.nodes(); ++i) {
      auto const heard = sources.neighbors(i);
      std::vector<node> senders(heard.begin(), heard.end());
      senders.push_back(static_cast<node>(i));
      std::ranges::sort(senders);
      for (node const j : senders) {
        columns.push_back(j);
        shares.push_back(1.0 / (1.0 + static_cast<double>(g.degree(j))));
      }
      offsets.push_back(columns.size());
    }
    return {std::move(offsets), std::move(columns), std::move(shares), stochastic::columns};
  }

  static constexpr char const *name = "equal_shares";
  static constexpr char const *meaning =
      "column-stochastic: a node splits its model in equal shares, for itself and its "
      "out-neighbors";
  static constexpr member_list<> members() { return {}; }
};

static_assert(weight_rule<equal_shares>);

}  // namespace gossip
