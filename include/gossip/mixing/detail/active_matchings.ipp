// Definitions of mixing/active_matchings.hpp.
#pragma once

#include <gossip/mixing/active_matchings.hpp>

#include <algorithm>
#include <tuple>
#include <utility>

#include <gossip/core/error.hpp>
#include <gossip/core/inline.hpp>
#include <gossip/core/node.hpp>
#include <gossip/core/number_text.hpp>
#include <gossip/graph/components.hpp>
#include <gossip/mixing/detail/best_connectivity.hpp>
#include <gossip/mixing/detail/lowest_eigenvectors.hpp>

namespace gossip {

GOSSIP_INLINE std::vector<matching> matchings_of(graph const &g) {
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

GOSSIP_INLINE mixing_matrix active_matchings::weights(graph const &g,
                                                      std::vector<bool> const &at_work) const {
  auto const weight = [&](std::size_t i, std::size_t j) {
    for (std::size_t m = 0; m < matchings.size(); ++m)
      if (at_work[m] && matchings[m][i] == j) return share;
    return 0.0;
  };
  return mixing_matrix::over(g, weight, own_weight::any);
}

GOSSIP_INLINE void check_budget(graph const &g, double budget) {
  if (g.directed())
    throw input_error("matchings_for", "an undirected topology", "a directed topology");
  if (!(budget > 0 && budget <= 1))
    throw input_error("matchings_for: budget", "above 0, at most 1", detail::shortest(budget));
}

namespace detail {

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

/// The matrix E[W' W] - J of W = I - share sum_m L_m, whose greatest eigenvalue is the fraction of
/// squared distances that a round leaves, by its eigenvectors: as E[L] = L and E[L^2] = L^2 + 2 L~,
/// L~ with weights p (1 - p), x' E[W' W] x = 1 - 2 share x' L x + share^2 (|L x|^2 + 2 x' L~ x), a
/// parabola for every x.
class expected_squares {
 public:
  expected_squares(weighted_laplacian const &laplacian, std::vector<double> const &p)
      : laplacian_(laplacian), p_(p), spread_(p), lowest_{} {
    for (double &one : spread_) one *= 1 - one;
    approach([&](auto const &x, auto &y) { laplacian_.multiply(p_, x, y); },
             2 * std::ranges::max(laplacian_.degrees(p_)));
    connectivity_ = std::max(0.0, lowest_.values[0]);
  }

  double connectivity() const { return connectivity_; }

  /// The share up to `most` of the least rho, and rho: the greatest of all parabolas is at least
  /// that of those known, whose least share adds to them the parabolas of its eigenvectors.
  std::pair<double, double> least(double most) {
    std::pair<double, double> found{0.0, 1.0};
    double work = 0;
    for (int round = 0; round < 40 && work < 2e10; ++round) {
      add_parabolas();
      double const share = argument_of_least(most, [&](double at) { return known(at); });
      approach([&](auto const &x, auto &y) { lost(share, x, y); }, 1);
      work += 3 * lowest_.products * laplacian_.cost();
      double const rho = 1 - lowest_.values[0];
      if (rho < found.second) found = {share, rho};
      if (found.second - known(share) <= 1e-7 * (1 - found.second) + 1e-14) break;
    }
    return found;
  }

 private:
  struct parabola {
    double linear, square;
  };

  template <class Apply>
  void approach(Apply apply, double bound) {
    lowest_.approach(laplacian_.nodes(), bound, 2, 1e-5, apply);
  }

  /// y = (I - E[W' W]) x.
  void lost(double share, side_by_side_vectors const &x, side_by_side_vectors &y) const {
    side_by_side_vectors once(x.rows, x.count), twice = once;
    laplacian_.multiply(p_, x, once);
    laplacian_.multiply(p_, once, twice);
    laplacian_.multiply(spread_, x, y);
    for (std::size_t e = 0; e < y.values.size(); ++e)
      y.values[e] =
          2 * share * once.values[e] - share * share * (twice.values[e] + 2 * y.values[e]);
  }

  void add_parabolas() {
    side_by_side_vectors const &x = lowest_.vectors;
    side_by_side_vectors once(x.rows, x.count), other = once;
    laplacian_.multiply(p_, x, once);
    laplacian_.multiply(spread_, x, other);
    for (std::size_t k = 0; k < x.count; ++k) {
      parabola one{0, 0};
      for (std::size_t i = 0; i < x.rows; ++i) {
        double const here = x.row(i)[k], l = once.row(i)[k];
        one.linear += here * l;
        one.square += l * l + 2 * here * other.row(i)[k];
      }
      parabolas_.push_back(one);
    }
  }

  double known(double share) const {
    double most = 0;
    for (auto const &[linear, square] : parabolas_)
      most = std::max(most, 1 - 2 * share * linear + share * share * square);
    return most;
  }

  weighted_laplacian const &laplacian_;
  std::vector<double> const &p_;
  std::vector<double> spread_;
  lowest_eigenvectors lowest_;
  std::vector<parabola> parabolas_{};
  double connectivity_ = 0;
};

}  // namespace detail

GOSSIP_INLINE active_matchings matchings_for(graph const &g, double budget, bool keep_positive) {
  check_budget(g, budget);
  active_matchings found{.matchings = matchings_of(g)};
  found.probability.assign(found.matchings.size(), budget);
  if (found.matchings.empty()) return found;
  detail::weighted_laplacian const laplacian(found.matchings);
  if (budget < 1 && found.matchings.size() > 1 && is_connected(g))
    found.probability = detail::best_connectivity(laplacian, budget).probabilities(1e-5);
  detail::expected_squares squares(laplacian, found.probability);
  found.connectivity = squares.connectivity();
  // A share above 2 / lambda_n lets the vector of lambda_n grow, and lambda_n is at least the
  // greatest degree that the expected graph has.
  double most = 2 / std::ranges::max(laplacian.degrees(found.probability));
  if (keep_positive)
    for (std::size_t i = 0; i < g.nodes(); ++i)
      if (g.degree(i) > 0) most = std::min(most, 1 / static_cast<double>(g.degree(i)));
  std::tie(found.share, found.rho) = squares.least(most);
  return found;
}

}  // namespace gossip
