// W = I - a L with the constant a that mixes fastest. L. Xiao, S. Boyd, "Fast linear iterations for
// distributed averaging", Systems and Control Letters 53 (2004), section 4.1.
#pragma once

#include <cstddef>

#include <gossip/core/described.hpp>
#include <gossip/mixing/weights.hpp>

namespace gossip {

/// The same weight a = 2 / (lambda_2 + lambda_n) on every edge, where lambda_2 is the smallest
/// eigenvalue above 0 and lambda_n the largest of the Laplacian L: rho = (lambda_n - lambda_2) /
/// (lambda_n + lambda_2). Where that would give a node of the largest degree d a weight of its own
/// below 0 it is 1 / d, the best of those that do not. From all eigenvalues up to 500 nodes, by
/// Lanczos above, to 1e-6 of lambda_2 or what some seconds allow.
struct best_constant {
  /// Throws input_error unless the graph is undirected and connected.
  mixing_matrix weights(graph const &g) const;

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

#ifndef GOSSIP_COMPILED
#include <gossip/mixing/detail/best_constant.ipp>
#endif
