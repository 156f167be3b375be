// Sums over matchings of weights times Laplacians, by the edges.
#pragma once

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include <gossip/mixing/detail/lowest_eigenvectors.hpp>
#include <gossip/mixing/matching.hpp>

namespace gossip::detail {

/// sum_m weight_m L_m, L_m the Laplacian of matching m.
class weighted_laplacian {
 public:
  explicit weighted_laplacian(std::vector<matching> const &all)
      : nodes_(all.at(0).size()), matchings_(all.size()) {
    for (std::size_t m = 0; m < all.size(); ++m)
      for (std::size_t i = 0; i < nodes_; ++i)
        if (all[m][i] > i) edges_.push_back({m, i, all[m][i]});
    std::ranges::sort(edges_, {}, [](numbered_edge const &e) { return std::pair(e.i, e.j); });
  }

  std::size_t nodes() const { return nodes_; }
  std::size_t matchings() const { return matchings_; }

  /// Operations of a product with one vector, about.
  double cost() const { return static_cast<double>(2 * edges_.size() + 4 * nodes_); }

  /// y = sum_m weight_m L_m x.
  void multiply(std::vector<double> const &weight, side_by_side_vectors const &x,
                side_by_side_vectors &y) const {
    std::ranges::fill(y.values, 0.0);
    std::size_t const count = x.count;
    for (auto const &[m, i, j] : edges_) {
      double const w = weight[m], *const from = x.row(i), *const to = x.row(j);
      double *const there = y.row(i), *const here = y.row(j);
      for (std::size_t k = 0; k < count; ++k) {
        double const flow = w * (from[k] - to[k]);
        there[k] += flow, here[k] -= flow;
      }
    }
  }

  /// V' L_m V of every matching. (m) of (k,k)
  std::vector<std::vector<double>> within(side_by_side_vectors const &v) const {
    std::size_t const k = v.count;
    std::vector<std::vector<double>> found(matchings_, std::vector<double>(k * k, 0.0));
    std::vector<double> along(k);
    for (auto const &[m, i, j] : edges_) {
      for (std::size_t a = 0; a < k; ++a) along[a] = v.row(i)[a] - v.row(j)[a];
      for (std::size_t a = 0; a < k; ++a)
        for (std::size_t b = 0; b < k; ++b) found[m][a * k + b] += along[a] * along[b];
    }
    return found;
  }

  /// Of every node, the sum of the weights of its edges. (n)
  std::vector<double> degrees(std::vector<double> const &weight) const {
    std::vector<double> sum(nodes_, 0.0);
    for (auto const &[m, i, j] : edges_) sum[i] += weight[m], sum[j] += weight[m];
    return sum;
  }

 private:
  struct numbered_edge {
    std::size_t matching, i, j;
  };
  std::size_t nodes_, matchings_;
  std::vector<numbered_edge> edges_;
};

}  // namespace gossip::detail
