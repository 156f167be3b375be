// One peer a round on the exponential graph, W of round k: half of node i and half of node
// i + 2^(k mod tau). B. Ying, K. Yuan, Y. Chen, H. Hu, P. Pan, W. Yin, NeurIPS 2021.
#pragma once

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include <gossip/core/described.hpp>
#include <gossip/mixing/weights.hpp>
#include <gossip/topology/exponential.hpp>

namespace gossip {

/// tau = ceil(log2 n) matrices that rounds take in turns; each is doubly stochastic, and the
/// product of tau in a row is the mean of all nodes where n is a power of two.
struct one_peer {
  std::vector<mixing_matrix> weights(graph const &g) const {
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

  static constexpr char const *name = "one_peer";
  static constexpr char const *meaning =
      "1/2 for node i and 1/2 for the node i + 1, i + 2, i + 4, ... in successive rounds";
  static constexpr member_list<> members() { return {}; }
};

static_assert(weight_rule<one_peer>);

}  // namespace gossip
