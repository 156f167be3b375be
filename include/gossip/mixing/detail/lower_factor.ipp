// Definitions of mixing/detail/lower_factor.hpp.
#pragma once

#include <gossip/mixing/detail/lower_factor.hpp>

#include <cmath>

#include <gossip/core/inline.hpp>

namespace gossip::detail {

GOSSIP_INLINE double in_lanes(double const *a, double const *b, std::size_t n) {
  double lanes[8] = {};
  std::size_t k = 0;
  for (; k + 8 <= n; k += 8)
    for (std::size_t l = 0; l < 8; ++l) lanes[l] += a[k + l] * b[k + l];
  double sum = 0;
  for (; k < n; ++k) sum += a[k] * b[k];
  for (double const one : lanes) sum += one;
  return sum;
}

GOSSIP_INLINE bool factorize(std::vector<double> &a, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j <= i; ++j) {
      double const sum = a[i * n + j] - in_lanes(&a[i * n], &a[j * n], j);
      if (i != j)
        a[i * n + j] = sum / a[j * n + j];
      else if (sum > 0)
        a[i * n + i] = std::sqrt(sum);
      else
        return false;
    }
  return true;
}

GOSSIP_INLINE void solve(std::vector<double> const &lower, std::vector<double> &x) {
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

GOSSIP_INLINE std::vector<double> inverse_transposed(std::vector<double> const &lower,
                                                     std::size_t n) {
  std::vector<double> found(n * n, 0.0);
  for (std::size_t i = 0; i < n; ++i) {  // column i of the inverse, by its row here
    double *const column = &found[i * n];
    column[i] = 1 / lower[i * n + i];
    for (std::size_t j = i + 1; j < n; ++j) {
      double sum = 0;
      for (std::size_t k = i; k < j; ++k) sum -= lower[j * n + k] * column[k];
      column[j] = sum / lower[j * n + j];
    }
  }
  return found;
}

}  // namespace gossip::detail
