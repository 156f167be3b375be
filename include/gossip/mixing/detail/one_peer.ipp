// Definitions of mixing/one_peer.hpp.
#pragma once

#include <gossip/mixing/one_peer.hpp>

#include <algorithm>
#include <utility>

#include <gossip/core/inline.hpp>

namespace gossip {

GOSSIP_INLINE std::vector<mixing_matrix> one_peer::weights(graph const &g) const {
  std::size_t const n = g.nodes();
  std::vector<mixing_matrix> rounds;
  for (std::size_t const d : exponential_distances(n)) {
    std::vector<std::size_t> offsets{0};
    std::vector<node> columns;
    for (std::size_t i = 0; i < n; ++i) {
      auto const own = static_cast<node>(i), other = static_cast<node>((i + d) % n);
      columns.insert(columns.end(), {std::min(own, other), std::max(own, other)});
      offsets.push_back(columns.size());
    }
    rounds.emplace_back(std::move(offsets), std::move(columns), std::vector<double>(2 * n, 0.5));
  }
  if (rounds.empty()) rounds.push_back({{0, 1}, {0}, {1.0}});
  return rounds;
}

}  // namespace gossip
