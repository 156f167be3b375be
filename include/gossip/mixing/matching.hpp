// A matching: nodes in pairs, which average; drawn at random from the complete graph.
#pragma once

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <utility>
#include <vector>

#include <gossip/core/node.hpp>
#include <gossip/mixing/matrix.hpp>

namespace gossip {

/// The partner of every node: partner[partner[i]] = i, and i itself where i is alone. (n)
using matching = std::vector<node>;

/// All of n nodes in pairs, every such matching with the same chance; where n is odd one is alone.
/// uniform(): numbers of [0, 1), of which n - 1 are drawn.
template <class Uniform>
matching random_matching(std::size_t n, Uniform uniform) {
  std::vector<node> shuffled(n);
  std::iota(shuffled.begin(), shuffled.end(), node{0});
  for (std::size_t k = n; k > 1; --k) {
    auto const pick = static_cast<std::size_t>(uniform() * static_cast<double>(k));
    std::swap(shuffled[k - 1], shuffled[std::min(pick, k - 1)]);
  }
  matching partner(n);
  for (std::size_t k = 0; k < n; ++k) {
    std::size_t const other = k % 2 == 1 ? k - 1 : std::min(k + 1, n - 1);
    partner[shuffled[k]] = shuffled[other];
  }
  return partner;
}

/// The matrix by which both of a pair take their mean, and who is alone stays. (n,n)
mixing_matrix pair_averages(matching const &partner);

}  // namespace gossip

#ifndef GOSSIP_COMPILED
#include <gossip/mixing/detail/matching.ipp>
#endif
