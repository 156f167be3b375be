// Sums over matchings of weights times Laplacians, by the edges.
#pragma once

#include <cstddef>
#include <vector>

#include <gossip/mixing/detail/lowest_eigenvectors.hpp>
#include <gossip/mixing/matching.hpp>

namespace gossip::detail {

/// sum_m weight_m L_m, L_m the Laplacian of matching m.
class weighted_laplacian {
 public:
  explicit weighted_laplacian(std::vector<matching> const &all);

  std::size_t nodes() const { return nodes_; }
  std::size_t matchings() const { return matchings_; }

  /// Operations of a product with one vector, about.
  double cost() const { return static_cast<double>(2 * edges_.size() + 4 * nodes_); }

  /// y = sum_m weight_m L_m x.
  void multiply(std::vector<double> const &weight, side_by_side_vectors const &x,
                side_by_side_vectors &y) const;

  /// V' L_m V of every matching. (m) of (k,k)
  std::vector<std::vector<double>> within(side_by_side_vectors const &v) const;

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

#ifndef GOSSIP_COMPILED
#include <gossip/mixing/detail/weighted_laplacian.ipp>
#endif
