// w_ij = 1 / (2 max(d_i, d_j)): the Metropolis weights of a walk that stays where it is half of the
// time. A. Olshevsky, "Linear time average consensus and distributed optimization on fixed graphs",
// SIAM Journal on Control and Optimization 55 (2017).
#pragma once

#include <algorithm>
#include <cstddef>

#include <gossip/core/described.hpp>
#include <gossip/mixing/weights.hpp>

namespace gossip {

/// Symmetric, without negative eigenvalues, as methods that correct gradients by differences of
/// mixed models demand. On any connected graph of n nodes 1 - lambda_2 >= 1 / (71 n^2).
struct lazy_metropolis {
  mixing_matrix weights(graph const &g) const {
    detail::require_undirected("lazy_metropolis", g);
    return mixing_matrix::over(g, [&](std::size_t i, std::size_t j) {
      return 0.5 / static_cast<double>(std::max(g.degree(i), g.degree(j)));
    });
  }

  static constexpr char const *name = "lazy_metropolis";
  static constexpr char const *meaning =
      "1 / (2 max(d_i, d_j)) for degrees d; no eigenvalue is negative";
  static constexpr member_list<> members() { return {}; }
};

static_assert(weight_rule<lazy_metropolis>);

}  // namespace gossip
