// A small semidefinite program, the best connectivity on a space of few vectors: Newton steps on a
// logarithmic barrier. S. Boyd, L. Vandenberghe, "Convex optimization" (2004), section 11.6.
#pragma once

#include <algorithm>
#include <cstddef>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include <gossip/mixing/detail/lowest_eigenvectors.hpp>

namespace gossip::detail {

/// The greatest sum of p times slopes with 0 <= p <= 1 of this total. O(m log m)
double greatest_sum(std::vector<double> slopes, double total);

/// Maximises t with sum_m p_m A_m - t I positive semidefinite, 0 <= p <= 1 and the sum of p fixed.
class restricted_program {
 public:
  /// Matrices (k,k) of every unknown.
  restricted_program(std::vector<std::vector<double>> matrices, std::size_t k, double total)
      : matrices_(std::move(matrices)), k_(k), total_(total) {}

  /// From this p inside on, until t is below the best by at most allowed(bound()). The t of an
  /// optimum is about `expected`.
  template <class Allowed>
  std::vector<double> improved(std::vector<double> p, double expected, Allowed allowed) {
    point_ = std::move(p);
    double const constraints = static_cast<double>(k_ + 2 * point_.size());
    double const reached = all_eigenpairs(sum(point_), k_).values.front();
    double price = std::max(expected - reached, 1e-6) / constraints;
    point_.push_back(reached - static_cast<double>(k_) * price);
    for (;; price /= 10) {
      for (int step = 0; step < 50 && improve(price); ++step) continue;
      if (!(price * constraints > allowed(bound_))) break;
    }
    point_.pop_back();
    return point_;
  }

  /// The least upper bound of t that is known.
  double bound() const { return bound_; }

  /// Multiplications so far, about.
  double work() const {
    double const m = static_cast<double>(matrices_.size()), n = static_cast<double>(width());
    return steps_ * m * n * (static_cast<double>(k_) + std::min(m, n));
  }

  /// sum_m p_m A_m.
  std::vector<double> sum(std::vector<double> const &p) const;

 private:
  /// The factor of S = sum_m p_m A_m - t I.
  std::optional<std::vector<double>> factor(std::vector<double> const &point) const;

  /// t / price + log det S + sum log p + sum log(1 - p), minus infinity outside.
  double value(std::vector<double> const &point, double price) const;

  /// The lower half of C^-1 A C^-T, numbers beside the diagonal times the root of 2, so that inner
  /// products of halves are those of matrices; and its trace. inverse: of C, transposed.
  double halve(std::vector<double> const &a, std::vector<double> const &inverse,
               double *half) const;

  /// Of the value at the point. The curvature is that of F F' and the diagonal, negative.
  struct derivatives {
    std::vector<double> slope;     // (m + 1)
    std::vector<double> halves;    // (m + 1, width) F
    std::vector<double> diagonal;  // (m + 1), 0 for t
  };

  derivatives at_point(double price, std::vector<double> const &lower) const;

  /// A step that keeps the sum of p, and the multiplier of that sum.
  struct newton_step {
    std::vector<double> change;  // (m + 1)
    double level;
  };

  /// By the curvature itself, (m + 1, m + 1).
  std::optional<newton_step> step_by_unknowns(derivatives const &d) const;

  /// By w = F' step, (width), where there are fewer entries than unknowns: with D the diagonal, F
  /// without the row f of t, and G = I + F' D^-1 F,
  /// G w = F' D^-1 (slope - level) + f step_t, f' w = slope_t and the sum of the steps of p is 0.
  std::optional<newton_step> step_by_entries(derivatives const &d) const;

  std::size_t width() const { return k_ * (k_ + 1) / 2; }

  /// t is at most the greatest sum of p_m <A_m, X>, whatever the density matrix X. With X that of
  /// S^-1 - S^-1 (change of S) S^-1, positive while the gain is below 1, Newton's equations say
  /// that <A_m, X> = level - 1 / p + 1 / (1 - p) + (1 / p^2 + 1 / (1 - p)^2) step. O(m log m)
  void lower_bound(newton_step const &step, derivatives const &d, double price);

  /// One Newton step that keeps the sum of p, damped where it is long; false after one that is
  /// short and where there is none.
  bool improve(double price);

  std::vector<std::vector<double>> matrices_;
  std::size_t k_;
  double total_;
  double steps_ = 0, bound_ = std::numeric_limits<double>::infinity();
  std::vector<double> point_{};  // p of every matching, then t
};

}  // namespace gossip::detail

#ifndef GOSSIP_COMPILED
#include <gossip/mixing/detail/restricted_program.ipp>
#endif
