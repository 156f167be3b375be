// The probabilities of matchings that connect a network best on average: a semidefinite program
// with few unknowns, solved on a space of few vectors, to which the eigenvectors of the least
// eigenvalues at its solution are added, and again. Cutting planes that are semidefinite: K.
// Krishnan, J. Mitchell, "A unifying framework for several cutting plane methods for semidefinite
// programming", Optimization Methods and Software 21 (2006).
#pragma once

#include <algorithm>
#include <cstddef>
#include <limits>
#include <utility>
#include <vector>

#include <gossip/mixing/detail/lowest_eigenvectors.hpp>
#include <gossip/mixing/detail/restricted_program.hpp>
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
  std::vector<double> probabilities(double relative) && {
    std::vector<double> p = found_;
    double left = std::numeric_limits<double>::infinity();
    for (int round = 0; work_ < most_work; ++round) {
      look(p);
      double const now = bound_ - reached_;
      if (!(now > relative * reached_) || !(reached_ > 0)) break;
      if (round % 8 == 7 && !(now < 0.7 * std::exchange(left, now))) break;
      widen();
      p = within_space(relative);
    }
    return std::move(found_);
  }

 private:
  static constexpr std::size_t added = 8;    // vectors a round
  static constexpr double most_work = 2e10;  // multiplications, about: ten seconds

  void look(std::vector<double> const &p) {
    lowest_.approach(laplacian_.nodes(), 2 * std::ranges::max(laplacian_.degrees(p)), 4, 1e-3,
                     [&](auto const &x, auto &y) { laplacian_.multiply(p, x, y); });
    work_ += lowest_.products * laplacian_.cost();
    if (lowest_.values[0] > reached_) reached_ = lowest_.values[0], found_ = p;
  }

  void widen() {
    std::size_t const count = space_.count, more = std::min(added, lowest_.vectors.count);
    side_by_side_vectors both(laplacian_.nodes(), count + more);
    for (std::size_t i = 0; i < both.rows; ++i) {
      if (count > 0) std::copy_n(space_.row(i), count, both.row(i));
      std::copy_n(lowest_.vectors.row(i), more, both.row(i) + count);
    }
    space_ = orthonormal(both);
  }

  /// The best p as far as the space tells, of which the vectors stay that p connects least.
  std::vector<double> within_space(double relative) {
    std::size_t const k = space_.count, count = found_.size();
    auto matrices = laplacian_.within(space_);
    double trace = 0;  // of the sum
    for (auto &one : matrices) {
      for (double &value : one) value /= reached_;  // t is near 1
      for (std::size_t i = 0; i < k; ++i) trace += one[i * k + i];
    }
    // t of any p is at most the mean of the eigenvalues where all are 1
    double const before = std::min(bound_ / reached_, trace / static_cast<double>(k));
    restricted_program program(std::move(matrices), k, budget_ * static_cast<double>(count));
    std::vector<double> inside = found_;  // and away from what bounds p
    double const even = std::min(0.1, before - 1);
    for (double &one : inside) one += even * (budget_ - one);
    std::vector<double> p = program.improved(inside, before, [&](double bound) {
      return std::max(0.1 * (std::min(before, bound) - 1), 0.3 * relative);
    });
    bound_ = std::min(bound_, program.bound() * reached_);
    work_ += program.work();
    std::size_t const kept = std::min(k, most_kept());
    space_ = times(space_, all_eigenpairs(program.sum(p), k).vectors, kept);
    return p;
  }

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
