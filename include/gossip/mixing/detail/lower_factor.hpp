// Factors of symmetric, positive definite matrices: A = L L', A. Cholesky.
#pragma once

#include <cmath>
#include <cstddef>
#include <vector>

namespace gossip::detail {

/// The inner product, by eight sums that a compiler can take at once.
inline double in_lanes(double const *a, double const *b, std::size_t n) {
  double lanes[8] = {};
  std::size_t k = 0;
  for (; k + 8 <= n; k += 8)
    for (std::size_t l = 0; l < 8; ++l) lanes[l] += a[k + l] * b[k + l];
  double sum = 0;
  for (; k < n; ++k) sum += a[k] * b[k];
  for (double const one : lanes) sum += one;
  return sum;
}

/// The lower factor of a symmetric, positive definite matrix, in its place; false if it is not.
/// (n,n) in rows, of which the upper part is not read. O(n^3).
inline bool factorize(std::vector<double> &a, std::size_t n) {
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

/// The inverse of a lower factor, transposed. (n,n) in rows
inline std::vector<double> inverse_transposed(std::vector<double> const &lower, std::size_t n) {
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
