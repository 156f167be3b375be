// The probabilities of matchings that connect a network best on average: a semidefinite program,
// solved by Newton steps on a logarithmic barrier. S. Boyd, L. Vandenberghe, "Convex optimization"
// (2004), section 11.6.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include <gossip/mixing/matching.hpp>

namespace gossip::detail {

/// The lower factor of a symmetric, positive definite matrix, in its place; false if it is not.
/// (n,n) in rows, of which the upper part is not read. O(n^3).
inline bool factorize(std::vector<double> &a, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j <= i; ++j) {
      double sum = a[i * n + j];
      for (std::size_t k = 0; k < j; ++k) sum -= a[i * n + k] * a[j * n + k];
      if (i != j)
        a[i * n + j] = sum / a[j * n + j];
      else if (sum > 0)
        a[i * n + i] = std::sqrt(sum);
      else
        return false;
    }
  return true;
}

/// x becomes the solution of L L' y = x.
inline void solve(std::vector<double> const &lower, std::vector<double> &x) {
  std::size_t const n = x.size();
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t k = 0; k < i; ++k) x[i] -= lower[i * n + k] * x[k];
    x[i] /= lower[i * n + i];
  }
  for (std::size_t i = n; i-- > 0;) {
    x[i] /= lower[i * n + i];
    for (std::size_t k = 0; k < i; ++k) x[k] -= lower[i * n + k] * x[i];
  }
}

/// Maximises t with sum_m p_m L_m - t (I - J) positive semidefinite, 0 <= p <= 1 and the sum of p
/// fixed: the second smallest eigenvalue of the sum over matchings of p times Laplacians.
class best_connectivity {
 public:
  best_connectivity(std::vector<matching> const &all, double budget)
      : n_(all[0].size()), point_(all.size() + 1, budget) {
    for (std::size_t m = 0; m < all.size(); ++m)
      for (std::size_t i = 0; i < n_; ++i)
        if (all[m][i] > i) edges_.push_back({m, i, all[m][i]});
    point_.back() = -1;  // t: the Laplacians are positive semidefinite
  }

  /// The probabilities, whose t is below the best by at most 1e-9.
  std::vector<double> probabilities() && {
    double const constraints = static_cast<double>(n_ + 2 * point_.size());
    for (double price = 1; price * constraints > 1e-9; price /= 8)
      for (int step = 0; step < 60 && improve(price); ++step) continue;
    point_.pop_back();
    return std::move(point_);
  }

 private:
  struct numbered_edge {
    std::size_t matching, i, j;
  };

  /// The factor of S = sum_m p_m L_m - t (I - J) + J, which has no effect on constant vectors.
  std::optional<std::vector<double>> factor(std::vector<double> const &point) const {
    double const t = point.back(), rest = (1 + t) / static_cast<double>(n_);
    std::vector<double> s(n_ * n_, rest);
    for (std::size_t i = 0; i < n_; ++i) s[i * n_ + i] -= t;
    for (auto const &[m, i, j] : edges_) {
      s[i * n_ + i] += point[m], s[j * n_ + j] += point[m];
      s[i * n_ + j] -= point[m], s[j * n_ + i] -= point[m];
    }
    if (!factorize(s, n_)) return std::nullopt;
    return s;
  }

  /// t / price + log det S + sum log p + sum log(1 - p), minus infinity outside.
  double value(std::vector<double> const &point, double price) const {
    double sum = point.back() / price;
    for (std::size_t m = 0; m + 1 < point.size(); ++m) {
      if (!(point[m] > 0 && point[m] < 1)) return -std::numeric_limits<double>::infinity();
      sum += std::log(point[m]) + std::log(1 - point[m]);
    }
    auto const lower = factor(point);
    if (!lower) return -std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < n_; ++i) sum += 2 * std::log((*lower)[i * n_ + i]);
    return sum;
  }

  std::vector<double> inverse(std::vector<double> const &lower) const {
    std::vector<double> found(n_ * n_), column(n_);
    for (std::size_t i = 0; i < n_; ++i) {
      std::ranges::fill(column, 0.0);
      column[i] = 1;
      solve(lower, column);
      std::ranges::copy(column, found.begin() + static_cast<std::ptrdiff_t>(i * n_));
    }
    return found;
  }

  struct derivatives {
    std::vector<double> slope;      // (m + 1)
    std::vector<double> curvature;  // (m + 1, m + 1), of the negative value
  };

  derivatives at_point(double price) const {
    std::size_t const count = point_.size(), t = count - 1;
    std::vector<double> const r = inverse(*factor(point_));
    derivatives d{std::vector<double>(count, 0.0), std::vector<double>(count * count, 0.0)};
    double trace = -1, square = -1;  // without the constant vector's
    for (std::size_t i = 0; i < n_; ++i) trace += r[i * n_ + i];
    for (double const one : r) square += one * one;
    d.slope[t] = 1 / price - trace;
    d.curvature[t * count + t] = square;
    for (std::size_t m = 0; m < t; ++m) {
      double const p = point_[m], q = 1 - p;
      d.slope[m] = 1 / p - 1 / q;
      d.curvature[m * count + m] = 1 / (p * p) + 1 / (q * q);
    }
    std::vector<double> along(n_);  // S^-1 (e_i - e_j)
    for (auto const &[m, i, j] : edges_) {
      double length = 0;
      for (std::size_t k = 0; k < n_; ++k) {
        along[k] = r[i * n_ + k] - r[j * n_ + k];
        length += along[k] * along[k];
      }
      d.slope[m] += along[i] - along[j];
      d.curvature[t * count + m] -= length;
      for (auto const &[other, k, l] : edges_)
        if (other <= m)
          d.curvature[m * count + other] += (along[k] - along[l]) * (along[k] - along[l]);
    }
    return d;
  }

  /// One damped Newton step that keeps the sum of p; false where there is nothing to gain.
  bool improve(double price) {
    auto [slope, curvature] = at_point(price);
    std::size_t const count = point_.size();
    if (!factorize(curvature, count)) return false;
    std::vector<double> step = slope, normal(count, 1.0);
    normal.back() = 0;
    solve(curvature, step);
    solve(curvature, normal);
    double along = 0, across = 0;
    for (std::size_t m = 0; m + 1 < count; ++m) along += step[m], across += normal[m];
    for (std::size_t m = 0; m < count; ++m) step[m] -= along / across * normal[m];
    double gain = 0;
    for (std::size_t m = 0; m < count; ++m) gain += slope[m] * step[m];
    if (!(gain > 1e-8)) return false;
    double const before = value(point_, price);
    for (double share = 1; share > 1e-10; share /= 2) {
      std::vector<double> next = point_;
      for (std::size_t m = 0; m < count; ++m) next[m] += share * step[m];
      if (value(next, price) < before + 0.1 * share * gain) continue;
      point_ = std::move(next);
      return true;
    }
    return false;
  }

  std::size_t n_;
  std::vector<numbered_edge> edges_;
  std::vector<double> point_;  // p of every matching, then t
};

}  // namespace gossip::detail
