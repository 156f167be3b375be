// W = I - a L with the constant a that mixes fastest. L. Xiao, S. Boyd, "Fast linear iterations for
// distributed averaging", Systems and Control Letters 53 (2004), section 4.1.
#pragma once

#include <algorithm>
#include <cstddef>

#include <gossip/core/described.hpp>
#include <gossip/core/error.hpp>
#include <gossip/mixing/spectrum.hpp>
#include <gossip/mixing/weights.hpp>

namespace gossip {

/// The same weight a = 2 / (lambda_2 + lambda_n) on every edge, where lambda_2 is the smallest
/// eigenvalue above 0 and lambda_n the largest of the Laplacian L: rho = (lambda_n - lambda_2) /
/// (lambda_n + lambda_2). Where that would give a node of the largest degree d a weight of its own
/// below 0 it is 1 / d, the best of those that do not. From all eigenvalues up to 500 nodes, by
/// Lanczos above, to 1e-6 of lambda_2 or what some seconds allow.
struct best_constant {
  /// Throws input_error unless the graph is undirected and connected.
  mixing_matrix weights(graph const &g) const {
    detail::require_undirected("best_constant", g);
    std::size_t largest = 0;
    for (std::size_t i = 0; i < g.nodes(); ++i) largest = std::max(largest, g.degree(i));
    if (largest == 0) return with(g, 0.0);
    double const d = static_cast<double>(largest), scale = 1.0 / (1.0 + d);
    mixing_matrix const w = with(g, scale);  // I - scale L
    double const second = (1.0 - second_eigenvalue(w)) / scale,
                 last = (1.0 - smallest_eigenvalue(w)) / scale;
    if (second < 1e-9)
      throw input_error("best_constant", "a connected graph", "a graph that is not connected");
    return with(g, std::min(2.0 / (second + last), 1.0 / d));
  }

  static constexpr char const *name = "best_constant";
  static constexpr char const *meaning = "the constant edge weight with the fastest consensus";
  static constexpr member_list<> members() { return {}; }

 private:
  static mixing_matrix with(graph const &g, double weight) {
    return mixing_matrix::over(g, [weight](std::size_t, std::size_t) { return weight; });
  }
};

static_assert(weight_rule<best_constant>);

}  // namespace gossip
