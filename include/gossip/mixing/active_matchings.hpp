// A graph as matchings, each of which is at work in a round with a probability of its own. J. Wang,
// A. K. Sahu, G. Joshi, S. Kar, "MATCHA: a matching-based link sampling strategy to speed up
// distributed optimization", IEEE Transactions on Signal Processing 70 (2022).
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include <gossip/core/error.hpp>
#include <gossip/core/node.hpp>
#include <gossip/graph/graph.hpp>
#include <gossip/mixing/detail/lanczos.hpp>
#include <gossip/mixing/matching.hpp>
#include <gossip/mixing/matrix.hpp>

namespace gossip {

/// The edges of an undirected graph in matchings, each edge in one: edge after edge goes to the
/// first in which both of its nodes are alone. At most 2 d - 1 of them, d the greatest degree.
inline std::vector<matching> matchings_of(graph const &g) {
  matching alone(g.nodes());
  for (node i = 0; i < g.nodes(); ++i) alone[i] = i;
  std::vector<matching> found;
  for (node i = 0; i < g.nodes(); ++i)
    for (node const j : g.neighbors(i)) {
      if (j < i) continue;
      auto const free =
          std::ranges::find_if(found, [&](matching const &m) { return m[i] == i && m[j] == j; });
      matching &one = free == found.end() ? found.emplace_back(alone) : *free;
      one[i] = j, one[j] = i;
    }
  return found;
}

/// Matchings of a graph, the probability of each, and the share alpha of W = I - alpha sum over
/// those at work of L_j, L_j the Laplacian of matching j.
struct active_matchings {
  std::vector<matching> matchings{};
  std::vector<double> probability{};
  double connectivity = 0.0;  ///< second smallest eigenvalue of the expected Laplacian
  double share = 0.0;
  /// The greatest eigenvalue of E[W' W] - J: what a round leaves of squares at worst.
  double rho = 1.0;

  /// W where these are at work. (n,n)
  mixing_matrix weights(graph const &g, std::vector<bool> const &at_work) const {
    return mixing_matrix::over(g, [&](std::size_t i, std::size_t j) {
      for (std::size_t m = 0; m < matchings.size(); ++m)
        if (at_work[m] && matchings[m][i] == j) return share;
      return 0.0;
    });
  }
};

namespace detail {

/// Sums over matchings of weights times Laplacians, and their greatest eigenvalues.
class weighted_laplacian {
 public:
  explicit weighted_laplacian(std::vector<matching> const &all) {
    for (std::size_t m = 0; m < all.size(); ++m)
      for (std::size_t i = 0; i < all[m].size(); ++i)
        if (all[m][i] > i) edges_.push_back({m, i, all[m][i]});
  }

  /// y = sum_j weight_j L_j x.
  void multiply(std::vector<double> const &weight, std::vector<double> const &x,
                std::vector<double> &y) const {
    std::ranges::fill(y, 0.0);
    for (auto const &[m, i, j] : edges_) {
      double const flow = weight[m] * (x[i] - x[j]);
      y[i] += flow, y[j] -= flow;
    }
  }

  /// x, of mean 0 and length 1, comes nearer to the vector of the greatest eigenvalue of a positive
  /// semidefinite A on such vectors. apply(x, y): y = A x.
  template <class Apply>
  static void approach(std::vector<double> &x, int iterations, Apply apply) {
    std::vector<double> y(x.size());
    for (int k = 0; k < iterations; ++k) {
      apply(x, y);
      double mean = 0, square = 0;
      for (double const one : y) mean += one / static_cast<double>(x.size());
      for (double const one : y) square += (one - mean) * (one - mean);
      if (square == 0) return;
      for (std::size_t i = 0; i < x.size(); ++i) x[i] = (y[i] - mean) / std::sqrt(square);
    }
  }

 private:
  struct numbered_edge {
    std::size_t matching, i, j;
  };
  std::vector<numbered_edge> edges_;
};

/// The nearest list of numbers of [0, 1] with this sum.
inline void project(std::vector<double> &p, double sum) {
  double low = -1, high = *std::ranges::max_element(p);
  for (int k = 0; k < 100; ++k) {
    double const shift = (low + high) / 2;
    double reached = 0;
    for (double const one : p) reached += std::clamp(one - shift, 0.0, 1.0);
    (reached > sum ? low : high) = shift;
  }
  for (double &one : p) one = std::clamp(one - high, 0.0, 1.0);
}

}  // namespace detail

/// Throws input_error for a directed graph and for a budget that is not above 0 and at most 1.
inline void check_budget(graph const &g, double budget) {
  if (g.directed()) throw input_error("matchings_for", "an undirected topology", "a directed one");
  if (!(budget > 0 && budget <= 1))
    throw input_error("matchings_for: budget", "above 0, at most 1", std::to_string(budget));
}

/// Probabilities whose sum is the budget times the number of matchings and which make the algebraic
/// connectivity of the expected Laplacian large, by projected ascent from equal ones; then the
/// share of the least rho. At most 200 steps of ascent, O(edges) for each of their products. Throws
/// input_error for a directed graph and for a budget that is not above 0 and at most 1.
inline active_matchings matchings_for(graph const &g, double budget) {
  check_budget(g, budget);
  active_matchings found{.matchings = matchings_of(g)};
  std::size_t const n = g.nodes(), count = found.matchings.size();
  std::size_t most = 1;
  for (std::size_t i = 0; i < n; ++i) most = std::max(most, g.degree(i));
  std::vector<double> &p = found.probability;
  p.assign(count, budget);
  if (count == 0) return found;
  detail::weighted_laplacian const laplacian(found.matchings);
  std::vector<double> vector(n), twice(n);
  double const bound = 2.0 * static_cast<double>(count);         // of all eigenvalues
  auto const shifted = [&](std::vector<double> const &weight) {  // its top is the connectivity's
    return [&](std::vector<double> const &x, std::vector<double> &y) {
      laplacian.multiply(weight, x, y);
      for (std::size_t i = 0; i < n; ++i) y[i] = bound * x[i] - y[i];
    };
  };
  auto const connectivity = [&](std::vector<double> const &weight) {
    return bound - detail::lanczos(n, 300, 1e-7, shifted(weight)).magnitude;
  };
  for (std::size_t i = 0; i < n; ++i) vector[i] = std::cos(static_cast<double>(7 * i * i + 1));
  detail::weighted_laplacian::approach(vector, 200, shifted(p));
  std::vector<double> now = p;
  double best = connectivity(p);
  for (int step = 1, last = 0; step <= last + 40 && budget < 1; ++step) {
    detail::weighted_laplacian::approach(vector, 20, shifted(now));
    for (std::size_t m = 0; m < count; ++m) {
      double slope = 0;  // v' L_m v, v the vector of the connectivity
      for (std::size_t i = 0; i < n; ++i)
        slope += vector[i] * (vector[i] - vector[found.matchings[m][i]]);
      now[m] += slope / static_cast<double>(step);
    }
    detail::project(now, budget * static_cast<double>(count));
    double const reached = connectivity(now);
    if (reached > best * (1 + 1e-9)) best = reached, p = now, last = std::min(step, 160);
  }
  found.connectivity = best;
  std::vector<double> spread(count);  // p (1 - p)
  for (std::size_t m = 0; m < count; ++m) spread[m] = p[m] * (1 - p[m]);
  auto const left_by = [&](double share) {
    auto const squares = [&](std::vector<double> const &x, std::vector<double> &y) {
      // I - 2 share L + share^2 (L^2 + 2 L~), as E[L_t] = L and E[L_t^2] = L^2 + 2 L~
      std::vector<double> once(n), other(n);
      laplacian.multiply(p, x, once);
      laplacian.multiply(p, once, twice);
      laplacian.multiply(spread, x, other);
      for (std::size_t i = 0; i < n; ++i)
        y[i] = x[i] - 2 * share * once[i] + share * share * (twice[i] + 2 * other[i]);
    };
    return detail::lanczos(n, 300, 1e-7, squares).magnitude;
  };
  // Golden section: rho is convex in the share; at most 1 / d, so that no weight is negative.
  constexpr double golden = 0.61803398874989485;
  double low = 0, high = 1 / static_cast<double>(most), first = high * (1 - golden),
         second = high * golden, at_first = left_by(first), at_second = left_by(second);
  for (int k = 0; k < 45; ++k) {
    if (at_first > at_second) {
      low = first, first = second, at_first = at_second;
      at_second = left_by(second = low + (high - low) * golden);
    } else {
      high = second, second = first, at_second = at_first;
      at_first = left_by(first = high - (high - low) * golden);
    }
  }
  found.share = (low + high) / 2;
  found.rho = left_by(found.share);
  return found;
}

}  // namespace gossip
