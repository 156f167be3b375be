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
#include <gossip/core/number_text.hpp>
#include <gossip/graph/graph.hpp>
#include <gossip/mixing/detail/best_connectivity.hpp>
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

  /// W where these are at work, which may weigh a node's own model below 0. (n,n)
  mixing_matrix weights(graph const &g, std::vector<bool> const &at_work) const {
    auto const weight = [&](std::size_t i, std::size_t j) {
      for (std::size_t m = 0; m < matchings.size(); ++m)
        if (at_work[m] && matchings[m][i] == j) return share;
      return 0.0;
    };
    return mixing_matrix::over(g, weight, own_weight::any);
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
    throw input_error("matchings_for: budget", "above 0, at most 1", detail::shortest(budget));
}

namespace detail {

/// The second smallest eigenvalue of the sum over `count` matchings of weights times Laplacians.
class algebraic_connectivity {
 public:
  algebraic_connectivity(std::size_t nodes, std::size_t count, weighted_laplacian const &laplacian)
      : nodes_(nodes), bound_(2.0 * static_cast<double>(count)), laplacian_(laplacian) {}

  /// y = (bound - sum_m weight_m L_m) x, whose greatest eigenvalue is the connectivity's.
  auto shifted(std::vector<double> const &weight) const {
    return [this, &weight](std::vector<double> const &x, std::vector<double> &y) {
      laplacian_.multiply(weight, x, y);
      for (std::size_t i = 0; i < nodes_; ++i) y[i] = bound_ * x[i] - y[i];
    };
  }
  double of(std::vector<double> const &weight) const {
    return bound_ - lanczos(nodes_, 300, 1e-7, shifted(weight)).magnitude;
  }

 private:
  std::size_t nodes_;
  double bound_;  // of all eigenvalues
  weighted_laplacian const &laplacian_;
};

/// Projected ascent from equal probabilities, for networks that are too large for matrices of
/// nodes times nodes. At most 200 steps, O(edges) for each of their products.
inline std::vector<double> ascended_probabilities(std::vector<matching> const &all, double budget,
                                                  algebraic_connectivity const &connectivity) {
  std::size_t const n = all[0].size(), count = all.size();
  std::vector<double> found(count, budget), vector(n);
  for (std::size_t i = 0; i < n; ++i) vector[i] = std::cos(static_cast<double>(7 * i * i + 1));
  weighted_laplacian::approach(vector, 200, connectivity.shifted(found));
  std::vector<double> now = found;
  double best = connectivity.of(found);
  for (int step = 1, last = 0; step <= last + 40; ++step) {
    weighted_laplacian::approach(vector, 20, connectivity.shifted(now));
    for (std::size_t m = 0; m < count; ++m) {
      double slope = 0;  // v' L_m v, v the vector of the connectivity
      for (std::size_t i = 0; i < n; ++i) slope += vector[i] * (vector[i] - vector[all[m][i]]);
      now[m] += slope / static_cast<double>(step);
    }
    project(now, budget * static_cast<double>(count));
    double const reached = connectivity.of(now);
    if (reached > best * (1 + 1e-9)) best = reached, found = now, last = std::min(step, 160);
  }
  return found;
}

/// The argument in [0, high] of the least value of a convex function, by golden section.
template <class Function>
double argument_of_least(double high, Function f) {
  constexpr double golden = 0.61803398874989485;
  double low = 0, first = high * (1 - golden), second = high * golden, at_first = f(first),
         at_second = f(second);
  for (int k = 0; k < 45; ++k) {
    if (at_first > at_second) {
      low = first, first = second, at_first = at_second;
      at_second = f(second = low + (high - low) * golden);
    } else {
      high = second, second = first, at_second = at_first;
      at_first = f(first = high - (high - low) * golden);
    }
  }
  return (low + high) / 2;
}

}  // namespace detail

/// Nodes up to which probabilities are the best ones to 1e-9; of larger networks they are what an
/// ascent of at most 200 steps reaches.
inline constexpr std::size_t most_nodes_of_best_probabilities = 200;

/// Probabilities whose sum is the budget times the number of matchings and which make the algebraic
/// connectivity of the expected Laplacian as large as can be; then the share of the least rho,
/// where `keep_positive` at most 1 / d, d the greatest degree, so that no weight is negative.
/// Throws input_error for a directed graph and for a budget that is not above 0 and at most 1.
inline active_matchings matchings_for(graph const &g, double budget, bool keep_positive = false) {
  check_budget(g, budget);
  active_matchings found{.matchings = matchings_of(g)};
  std::size_t const n = g.nodes(), count = found.matchings.size();
  std::vector<double> &p = found.probability;
  p.assign(count, budget);
  if (count == 0) return found;
  detail::weighted_laplacian const laplacian(found.matchings);
  detail::algebraic_connectivity const connectivity(n, count, laplacian);
  if (budget < 1)
    p = n <= most_nodes_of_best_probabilities
            ? detail::best_connectivity(found.matchings, budget).probabilities()
            : detail::ascended_probabilities(found.matchings, budget, connectivity);
  found.connectivity = std::max(0.0, connectivity.of(p));
  std::vector<double> spread(count), twice(n);  // p (1 - p)
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
  // A share above 2 / lambda_n lets the vector of lambda_n grow, and lambda_n is at least the
  // greatest degree that the expected graph has.
  double busiest = 0;
  std::size_t most = 1;
  for (std::size_t i = 0; i < n; ++i) {
    double expected = 0;
    for (std::size_t m = 0; m < count; ++m)
      if (found.matchings[m][i] != i) expected += p[m];
    busiest = std::max(busiest, expected);
    most = std::max(most, g.degree(i));
  }
  double const capped = 1 / static_cast<double>(most), high = 2 / busiest;
  found.share = detail::argument_of_least(keep_positive ? std::min(high, capped) : high, left_by);
  found.rho = left_by(found.share);
  return found;
}

}  // namespace gossip
