// Definitions of mixing/equal_shares.hpp.
#pragma once

#include <gossip/mixing/equal_shares.hpp>

#include <algorithm>
#include <utility>
#include <vector>

#include <gossip/core/inline.hpp>

namespace gossip {

GOSSIP_INLINE mixing_matrix equal_shares::weights(graph const &g) const {
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

}  // namespace gossip
