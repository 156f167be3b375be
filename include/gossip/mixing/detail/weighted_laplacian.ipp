// Definitions of mixing/detail/weighted_laplacian.hpp.
#pragma once

#include <gossip/mixing/detail/weighted_laplacian.hpp>

#include <algorithm>
#include <utility>

#include <gossip/core/inline.hpp>

namespace gossip::detail {

GOSSIP_INLINE weighted_laplacian::weighted_laplacian(std::vector<matching> const &all)
    : nodes_(all.at(0).size()), matchings_(all.size()) {
  for (std::size_t m = 0; m < all.size(); ++m)
    for (std::size_t i = 0; i < nodes_; ++i)
      if (all[m][i] > i) edges_.push_back({m, i, all[m][i]});
  std::ranges::sort(edges_, {}, [](numbered_edge const &e) { return std::pair(e.i, e.j); });
}

GOSSIP_INLINE void weighted_laplacian::multiply(std::vector<double> const &weight,
                                                side_by_side_vectors const &x,
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

GOSSIP_INLINE std::vector<std::vector<double>> weighted_laplacian::within(
    side_by_side_vectors const &v) const {
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

}  // namespace gossip::detail
