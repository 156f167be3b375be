// The probabilities of matchings that connect a network best on average: a semidefinite program
// with few unknowns, solved on a space of few vectors, to which the eigenvectors of the least
// eigenvalues at its solution are added, and again. Cutting planes that are semidefinite: K.
// Krishnan, J. Mitchell, "A unifying framework for several cutting plane methods for semidefinite
// programming", Optimization Methods and Software 21 (2006).
#pragma once

#include <algorithm>
#include <cstddef>
#include <limits>
#include <vector>

#include <gossip/mixing/detail/lowest_eigenvectors.hpp>
#include <gossip/mixing/detail/weighted_laplacian.hpp>

namespace gossip::detail {

/// Maximises the second smallest eigenvalue of the sum over matchings of p times Laplacians, with
/// 0 <= p <= 1 and the sum of p that of the budget for each, of a connected network.
class best_connectivity {
 public:
  best_connectivity(weighted_laplacian const &laplacian, double budget)
      : laplacian_(laplacian), budget_(budget), found_(laplacian.matchings(), budget) {}

  /// The probabilities, whose connectivity is below the best by at most `relative` of it, or the
  /// best found where eight rounds take less than 0.3 of what is left, or after `most_work`.
  std::vector<double> probabilities(double relative) &&;

 private:
  static constexpr std::size_t added = 8;    // vectors a round
  static constexpr double most_work = 2e10;  // multiplications, about: ten seconds

  void look(std::vector<double> const &p);

  void widen();

  /// The best p as far as the space tells, of which the vectors stay that p connects least.
  std::vector<double> within_space(double relative);

  /// Vectors that stay: more than an optimum needs, the root of 2 m (G. Pataki 1998), as long as
  /// that does not take too long.
  std::size_t most_kept() const { return std::clamp<std::size_t>(4000 / found_.size(), 16, 40); }

  weighted_laplacian const &laplacian_;
  double budget_;
  std::vector<double> found_;
  double work_ = 0, reached_ = 0, bound_ = std::numeric_limits<double>::infinity();
  lowest_eigenvectors lowest_{};
  side_by_side_vectors space_{};  // orthonormal
};

}  // namespace gossip::detail

#ifndef GOSSIP_COMPILED
#include <gossip/mixing/detail/best_connectivity.ipp>
#endif
