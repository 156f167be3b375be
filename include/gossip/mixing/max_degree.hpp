// w_ij = 1 / (1 + d_max) for all neighbours: W = I - L / (1 + d_max), L the Laplacian of the graph.
#pragma once

#include <algorithm>
#include <cstddef>

#include <gossip/core/described.hpp>
#include <gossip/mixing/weights.hpp>

namespace gossip {

/// The same weight on every edge, symmetric to the bit; slow where one hub sets the largest degree.
struct max_degree {
  mixing_matrix weights(graph const &g) const {
    detail::require_undirected("max_degree", g);
    std::size_t largest = 0;
    for (std::size_t i = 0; i < g.nodes(); ++i) largest = std::max(largest, g.degree(i));
    double const weight = 1.0 / (1.0 + static_cast<double>(largest));
    return mixing_matrix::over(g, [weight](std::size_t, std::size_t) { return weight; });
  }

  static constexpr char const *name = "max_degree";
  static constexpr char const *meaning = "1 / (1 + the largest degree of the graph)";
  static constexpr member_list<> members() { return {}; }
};

static_assert(weight_rule<max_degree>);

}  // namespace gossip
