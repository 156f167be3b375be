// Definitions of mixing/averaging_times.hpp.
#pragma once

#include <gossip/mixing/averaging_times.hpp>

#include <cmath>

#include <gossip/core/inline.hpp>

namespace gossip::detail {

GOSSIP_INLINE std::vector<double> inverse_factor(std::vector<double> a, std::size_t n) {
  for (std::size_t j = 0; j < n; ++j) {
    for (std::size_t k = 0; k < j; ++k) a[j * n + j] -= a[j * n + k] * a[j * n + k];
    a[j * n + j] = std::sqrt(a[j * n + j]);
    for (std::size_t i = j + 1; i < n; ++i) {
      for (std::size_t k = 0; k < j; ++k) a[i * n + j] -= a[i * n + k] * a[j * n + k];
      a[i * n + j] /= a[j * n + j];
    }
  }
  std::vector<double> inverse(n * n, 0.0);  // (n,n)
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t k = 0; k < i; ++k)
      for (std::size_t j = 0; j <= k; ++j) inverse[i * n + j] -= a[i * n + k] * inverse[k * n + j];
    inverse[i * n + i] = 1.0;
    for (std::size_t j = 0; j <= i; ++j) inverse[i * n + j] /= a[i * n + i];
  }
  return inverse;
}

}  // namespace gossip::detail
