// Definitions of mixing/detail/lanczos.hpp.
#pragma once

#include <gossip/mixing/detail/lanczos.hpp>

#include <algorithm>

#include <gossip/core/inline.hpp>

namespace gossip::detail {

GOSSIP_INLINE extreme_eigenvalue larger_end(tridiagonal t, double residual, double relative) {
  std::size_t const k = t.diagonal.size();
  std::vector<double> last(k, 0.0);  // last row of the eigenvectors
  last.back() = 1.0;
  t.beside.back() = 0.0;
  diagonalize(t, last);
  auto const [low, high] = std::minmax_element(t.diagonal.begin(), t.diagonal.end());
  double const magnitude = std::max(std::abs(*low), std::abs(*high));
  double const allowed = relative * std::abs(1.0 - magnitude) + 1e-13;
  auto const settled = [&](double const &ritz) {
    double const bound =
        residual * std::abs(last[static_cast<std::size_t>(&ritz - t.diagonal.data())]);
    return bound <= allowed || std::abs(ritz) + bound < magnitude;
  };
  return {magnitude, settled(*low) && settled(*high), k};
}

}  // namespace gossip::detail
