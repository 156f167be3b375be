// w_ij = 1 / (1 + max(d_i, d_j)): doubly stochastic on any undirected graph, from what two
// neighbours know of each other. L. Xiao, S. Boyd, S.-J. Kim 2007, section 2.
#pragma once

#include <algorithm>
#include <cstddef>

#include <gossip/core/described.hpp>
#include <gossip/mixing/weights.hpp>

namespace gossip {

/// Metropolis-Hastings weights, symmetric to the bit; the default of the synchronous methods.
struct metropolis_hastings {
  mixing_matrix weights(graph const &g) const {
    detail::require_undirected("metropolis_hastings", g);
    return mixing_matrix::over(g, [&g](std::size_t i, std::size_t j) {
      return 1.0 / (1.0 + static_cast<double>(std::max(g.degree(i), g.degree(j))));
    });
  }

  static constexpr char const *name = "metropolis_hastings";
  static constexpr char const *meaning = "1 / (1 + max(d_i, d_j)) for degrees d";
  static constexpr member_list<> members() { return {}; }
};

static_assert(weight_rule<metropolis_hastings>);

}  // namespace gossip
