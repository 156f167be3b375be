// w_ij = 1 / (1 + d_i): the plain mean of what a node hears and its own model.
#pragma once

#include <cstddef>

#include <gossip/core/described.hpp>
#include <gossip/mixing/weights.hpp>

namespace gossip {

/// Row stochastic only: where degrees differ, nodes agree on a mean in which node i counts in
/// proportion to d_i + 1, not equally. In a directed graph a node hears from those that send to it.
struct uniform_neighbor {
  mixing_matrix weights(graph const &g) const {
    graph const heard = g.directed() ? g.reversed() : graph();
    graph const &sources = g.directed() ? heard : g;
    return mixing_matrix::over(sources, [&sources](std::size_t i, std::size_t) {
      return 1.0 / (1.0 + static_cast<double>(sources.degree(i)));
    });
  }

  static constexpr char const *name = "uniform_neighbor";
  static constexpr char const *meaning =
      "1 / (1 + d_i) for each neighbor of node i and for itself: row-stochastic";
  static constexpr member_list<> members() { return {}; }
};

static_assert(weight_rule<uniform_neighbor>);

}  // namespace gossip
