// A graph as matchings, each of which is at work in a round with a probability of its own. J. Wang,
// A. K. Sahu, G. Joshi, S. Kar, "MATCHA: a matching-based link sampling strategy to speed up
// distributed optimization", IEEE Transactions on Signal Processing 70 (2022).
#pragma once

#include <cstddef>
#include <vector>

#include <gossip/graph/graph.hpp>
#include <gossip/mixing/detail/weighted_laplacian.hpp>
#include <gossip/mixing/matching.hpp>
#include <gossip/mixing/matrix.hpp>

namespace gossip {

/// The edges of an undirected graph in matchings, each edge in one: edge after edge goes to the
/// first in which both of its nodes are alone. At most 2 d - 1 of them, d the greatest degree.
std::vector<matching> matchings_of(graph const &g);

/// Matchings of a graph, the probability of each, and the share alpha of W = I - alpha sum over
/// those at work of L_j, L_j the Laplacian of matching j.
struct active_matchings {
  std::vector<matching> matchings{};
  std::vector<double> probability{};
  double connectivity = 0.0;  ///< second smallest eigenvalue of the expected Laplacian
  double share = 0.0;
  /// The greatest eigenvalue of E[W' W] - J: the fraction of squared distances to the mean that a
  /// round leaves, at worst.
  double rho = 1.0;

  /// W where these are at work, which may weigh a node's own model below 0. (n,n)
  mixing_matrix weights(graph const &g, std::vector<bool> const &at_work) const;
};

/// Throws input_error for a directed graph and for a budget that is not above 0 and at most 1.
void check_budget(graph const &g, double budget);

/// Probabilities whose sum is the budget times the number of matchings and which make the algebraic
/// connectivity of the expected Laplacian as large as can be; then the share of the least rho,
/// where `keep_positive` at most 1 / d, d the greatest degree, so that no weight is negative.
/// Throws input_error for a directed graph and for a budget that is not above 0 and at most 1.
active_matchings matchings_for(graph const &g, double budget, bool keep_positive = false);

}  // namespace gossip

#ifndef GOSSIP_COMPILED
#include <gossip/mixing/detail/active_matchings.ipp>
#endif
