// A small semidefinite program, the best connectivity on a space of few vectors: Newton steps on a
// logarithmic barrier. S. Boyd, L. Vandenberghe, "Convex optimization" (2004), section 11.6.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include <gossip/core/elementary.hpp>
#include <gossip/mixing/detail/lower_factor.hpp>
#include <gossip/mixing/detail/lowest_eigenvectors.hpp>

namespace gossip::detail {

/// The greatest sum of p times slopes with 0 <= p <= 1 of this total. O(m log m)
inline double greatest_sum(std::vector<double> slopes, double total) {
  std::ranges::sort(slopes, std::greater{});
  double sum = 0;
  for (double const one : slopes) {
    double const p = std::min(total, 1.0);
    sum += p * one, total -= p;
  }
  return sum;
}

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
  std::vector<double> sum(std::vector<double> const &p) const {
    std::vector<double> s(k_ * k_, 0.0);
    for (std::size_t m = 0; m < matrices_.size(); ++m)
      for (std::size_t e = 0; e < s.size(); ++e) s[e] += p[m] * matrices_[m][e];
    return s;
  }

 private:
  /// The factor of S = sum_m p_m A_m - t I.
  std::optional<std::vector<double>> factor(std::vector<double> const &point) const {
    std::vector<double> s = sum(point);
    for (std::size_t i = 0; i < k_; ++i) s[i * k_ + i] -= point.back();
    if (!factorize(s, k_)) return std::nullopt;
    return s;
  }

  /// t / price + log det S + sum log p + sum log(1 - p), minus infinity outside.
  double value(std::vector<double> const &point, double price) const {
    double sum = point.back() / price;
    for (std::size_t m = 0; m + 1 < point.size(); ++m) {
      if (!(point[m] > 0 && point[m] < 1)) return -std::numeric_limits<double>::infinity();
      sum += elementary::log(point[m]) + elementary::log(1 - point[m]);
    }
    auto const lower = factor(point);
    if (!lower) return -std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < k_; ++i) sum += 2 * elementary::log((*lower)[i * k_ + i]);
    return sum;
  }

  /// The lower half of C^-1 A C^-T, numbers beside the diagonal times the root of 2, so that inner
  /// products of halves are those of matrices; and its trace. inverse: of C, transposed.
  double halve(std::vector<double> const &a, std::vector<double> const &inverse,
               double *half) const {
    std::vector<double> turned(k_ * k_, 0.0), row(k_);
    for (std::size_t l = 0; l < k_; ++l)
      for (std::size_t i = l; i < k_; ++i) {
        double const one = inverse[l * k_ + i];
        for (std::size_t j = 0; j < k_; ++j) turned[i * k_ + j] += one * a[l * k_ + j];
      }
    double trace = 0;
    for (std::size_t i = 0; i < k_; ++i) {
      std::ranges::fill(row, 0.0);
      for (std::size_t l = 0; l <= i; ++l) {
        double const one = turned[i * k_ + l];
        for (std::size_t j = l; j <= i; ++j) row[j] += one * inverse[l * k_ + j];
      }
      trace += row[i];
      for (std::size_t j = 0; j < i; ++j) *half++ = row[j] * std::sqrt(2.0);
      *half++ = row[i];
    }
    return trace;
  }

  /// Of the value at the point. The curvature is that of F F' and the diagonal, negative.
  struct derivatives {
    std::vector<double> slope;     // (m + 1)
    std::vector<double> halves;    // (m + 1, width) F
    std::vector<double> diagonal;  // (m + 1), 0 for t
  };

  derivatives at_point(double price, std::vector<double> const &lower) const {
    std::size_t const count = point_.size(), t = count - 1;
    std::vector<double> const inverse = inverse_transposed(lower, k_);
    derivatives d{std::vector<double>(count), std::vector<double>(count * width()),
                  std::vector<double>(count, 0.0)};
    std::vector<double> minus_one(k_ * k_, 0.0);
    for (std::size_t i = 0; i < k_; ++i) minus_one[i * k_ + i] = -1;
    for (std::size_t m = 0; m < count; ++m)
      d.slope[m] = halve(m < t ? matrices_[m] : minus_one, inverse, &d.halves[m * width()]);
    for (std::size_t m = 0; m < t; ++m) {
      double const p = point_[m], q = 1 - p;
      d.slope[m] += 1 / p - 1 / q;
      d.diagonal[m] = 1 / (p * p) + 1 / (q * q);
    }
    d.slope[t] += 1 / price;
    return d;
  }

  /// A step that keeps the sum of p, and the multiplier of that sum.
  struct newton_step {
    std::vector<double> change;  // (m + 1)
    double level;
  };

  /// By the curvature itself, (m + 1, m + 1).
  std::optional<newton_step> step_by_unknowns(derivatives const &d) const {
    std::size_t const count = point_.size();
    std::vector<double> curvature(count * count);
    for (std::size_t m = 0; m < count; ++m) {
      for (std::size_t l = 0; l <= m; ++l)
        curvature[m * count + l] =
            in_lanes(&d.halves[m * width()], &d.halves[l * width()], width());
      curvature[m * count + m] += d.diagonal[m];
    }
    if (!factorize(curvature, count)) return std::nullopt;
    newton_step step{d.slope, 0};
    std::vector<double> normal(count, 1.0);
    normal.back() = 0;
    solve(curvature, step.change);
    solve(curvature, normal);
    double along = 0, across = 0;
    for (std::size_t m = 0; m + 1 < count; ++m) along += step.change[m], across += normal[m];
    step.level = along / across;
    for (std::size_t m = 0; m < count; ++m) step.change[m] -= step.level * normal[m];
    return step;
  }

  /// By w = F' step, (width), where there are fewer entries than unknowns: with D the diagonal, F
  /// without the row f of t, and G = I + F' D^-1 F,
  /// G w = F' D^-1 (slope - level) + f step_t, f' w = slope_t and the sum of the steps of p is 0.
  std::optional<newton_step> step_by_entries(derivatives const &d) const {
    std::size_t const t = point_.size() - 1, n = width();
    double const *const f = &d.halves[t * n];
    std::vector<double> g(n * n, 0.0), from_slope(n, 0.0), from_level(n, 0.0), from_t(f, f + n);
    for (std::size_t i = 0; i < n; ++i) g[i * n + i] = 1;
    double slopes = 0, ones = 0;  // sums of D^-1 slope and of D^-1
    for (std::size_t m = 0; m < t; ++m) {
      double const *const row = &d.halves[m * n];
      for (std::size_t i = 0; i < n; ++i) {
        double const part = row[i] / d.diagonal[m];
        for (std::size_t j = 0; j <= i; ++j) g[i * n + j] += part * row[j];
        from_slope[i] += part * d.slope[m];
        from_level[i] += part;
      }
      slopes += d.slope[m] / d.diagonal[m], ones += 1 / d.diagonal[m];
    }
    std::vector<double> const sums = from_level;  // F' D^-1 1
    if (!factorize(g, n)) return std::nullopt;
    solve(g, from_slope), solve(g, from_level), solve(g, from_t);
    auto const times = [n](double const *a, std::vector<double> const &b) {
      return in_lanes(a, b.data(), n);
    };
    // w = from_slope - level from_level + step_t from_t, in both conditions
    double const a = times(f, from_level), b = times(f, from_t), c = times(sums.data(), from_t);
    double const first = d.slope[t] - times(f, from_slope),  // = -a level + b step_t
        second = slopes - times(sums.data(), from_slope),
                 e = ones - times(sums.data(), from_level);  // second = e level + c step_t
    newton_step step{std::vector<double>(t + 1), (second * b - c * first) / (e * b + a * c)};
    step.change[t] = (first + a * step.level) / b;
    for (std::size_t i = 0; i < n; ++i)
      from_slope[i] += step.change[t] * from_t[i] - step.level * from_level[i];
    for (std::size_t m = 0; m < t; ++m)
      step.change[m] =
          (d.slope[m] - step.level - times(&d.halves[m * n], from_slope)) / d.diagonal[m];
    return step;
  }

  std::size_t width() const { return k_ * (k_ + 1) / 2; }

  /// t is at most the greatest sum of p_m <A_m, X>, whatever the density matrix X. With X that of
  /// S^-1 - S^-1 (change of S) S^-1, positive while the gain is below 1, Newton's equations say
  /// that <A_m, X> = level - 1 / p + 1 / (1 - p) + (1 / p^2 + 1 / (1 - p)^2) step. O(m log m)
  void lower_bound(newton_step const &step, derivatives const &d, double price) {
    std::vector<double> slopes(point_.size() - 1);
    for (std::size_t m = 0; m < slopes.size(); ++m)
      slopes[m] = step.level - 1 / point_[m] + 1 / (1 - point_[m]) + d.diagonal[m] * step.change[m];
    bound_ = std::min(bound_, price * greatest_sum(std::move(slopes), total_));
  }

  /// One Newton step that keeps the sum of p, damped where it is long; false after one that is
  /// short and where there is none.
  bool improve(double price) {
    ++steps_;
    auto const lower = factor(point_);
    if (!lower) return false;
    derivatives const d = at_point(price, *lower);
    std::size_t const count = point_.size();
    auto const step = count > width() ? step_by_entries(d) : step_by_unknowns(d);
    if (!step) return false;
    double gain = 0;
    for (std::size_t m = 0; m < count; ++m) gain += d.slope[m] * step->change[m];
    if (!(gain > 0)) return false;
    bool const near = gain < 0.05;
    if (near) lower_bound(*step, d, price);
    double const before = value(point_, price);
    for (double share = 1; share > 1e-10; share /= 2) {
      std::vector<double> next = point_;
      for (std::size_t m = 0; m < count; ++m) next[m] += share * step->change[m];
      double const after = value(next, price);
      if (!(near ? std::isfinite(after) : after >= before + 0.1 * share * gain)) continue;
      point_ = std::move(next);
      return !near;
    }
    return false;
  }

  std::vector<std::vector<double>> matrices_;
  std::size_t k_;
  double total_;
  double steps_ = 0, bound_ = std::numeric_limits<double>::infinity();
  std::vector<double> point_{};  // p of every matching, then t
};

}  // namespace gossip::detail
