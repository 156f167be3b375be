// Eigenvalues of symmetric matrices: Householder reduction to three diagonals, then implicit QL.
// G. Golub, C. Van Loan, "Matrix Computations", sections 8.3.1 and 8.3.3. No function of the C
// library but sqrt is used, so the figures are the same on every machine.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

#include <gossip/core/error.hpp>

namespace gossip::detail {

/// A symmetric matrix of three diagonals.
struct tridiagonal {
  std::vector<double> diagonal;  // (n)
  std::vector<double> beside;    // (n) beside[i] couples i and i + 1; the last one is 0
};

/// One rotation sweep of implicit QL on rows first..last; false if it came apart on the way.
inline bool sweep(tridiagonal &t, std::vector<double> &tracked, std::size_t first,
                  std::size_t last) {
  auto &[d, e] = t;
  double const half = (d[first + 1] - d[first]) / (2.0 * e[first]);
  double const root = std::sqrt(half * half + 1.0);
  double g = d[last] - d[first] + e[first] / (half + std::copysign(root, half));
  double s = 1.0;
  double c = 1.0;
  double p = 0.0;
  for (std::size_t i = last; i-- > first;) {
    double const f = s * e[i];
    double const b = c * e[i];
    double const r = std::sqrt(f * f + g * g);
    e[i + 1] = r;
    if (r == 0.0) {
      d[i + 1] -= p;
      e[last] = 0.0;
      return false;
    }
    s = f / r;
    c = g / r;
    g = d[i + 1] - p;
    double const turned = (d[i] - g) * s + 2.0 * c * b;
    p = s * turned;
    d[i + 1] = g + p;
    g = c * turned - b;
    double const kept = tracked[i + 1];
    tracked[i + 1] = s * tracked[i] + c * kept;
    tracked[i] = c * tracked[i] - s * kept;
  }
  d[first] -= p;
  e[first] = g;
  e[last] = 0.0;
  return true;
}

/// Replaces the diagonal by the eigenvalues (in no order) and the tracked row r by r Q, Q the
/// eigenvectors as columns. Absolute error about 1e-16 of the largest entry, times a small factor.
inline void diagonalize(tridiagonal &t, std::vector<double> &tracked) {
  auto &[d, e] = t;
  double largest = 0.0;
  for (std::size_t i = 0; i < d.size(); ++i)
    largest = std::max({largest, std::abs(d[i]), std::abs(e[i])});
  double const negligible = std::numeric_limits<double>::epsilon() * largest;
  for (std::size_t first = 0; first < d.size(); ++first) {
    for (int sweeps = 0;; ++sweeps) {
      std::size_t last = first;
      while (last + 1 < d.size() && std::abs(e[last]) > negligible) ++last;
      if (last == first) break;
      if (sweeps == 100)
        throw error(
            "eigenvalues: expected convergence in 100 sweeps, got none; see whether all weights "
            "are finite");
      sweep(t, tracked, first, last);
    }
  }
}

/// Reflects a full symmetric matrix (n,n), destroyed on the way, to one of three diagonals.
/// 4/3 n^3 multiplications and as many additions.
inline tridiagonal reduce(std::vector<double> &a, std::size_t n) {
  tridiagonal t{std::vector<double>(n, 0.0), std::vector<double>(n, 0.0)};
  std::vector<double> v(n);  // the reflector I - factor v v', zero up to k
  std::vector<double> w(n);
  for (std::size_t k = 0; k + 1 < n; ++k) {
    t.diagonal[k] = a[k * n + k];
    double square = 0.0;
    for (std::size_t j = k + 1; j < n; ++j) square += a[k * n + j] * a[k * n + j];
    double const head = a[k * n + k + 1];
    t.beside[k] = -std::copysign(std::sqrt(square), head);
    double const factor = square - head * t.beside[k];  // v'v / 2
    if (factor == 0.0) continue;
    std::copy_n(a.begin() + static_cast<std::ptrdiff_t>(k * n + k + 1), n - k - 1,
                v.begin() + static_cast<std::ptrdiff_t>(k + 1));
    v[k + 1] = head - t.beside[k];
    std::fill(w.begin(), w.end(), 0.0);
    for (std::size_t i = k + 1; i < n; ++i) {
      double const scale = v[i] / factor;
      for (std::size_t j = k + 1; j < n; ++j) w[j] += scale * a[i * n + j];
    }
    double inner = 0.0;
    for (std::size_t j = k + 1; j < n; ++j) inner += v[j] * w[j];
    for (std::size_t j = k + 1; j < n; ++j) w[j] -= inner / (2.0 * factor) * v[j];
    for (std::size_t i = k + 1; i < n; ++i)
      for (std::size_t j = k + 1; j < n; ++j) a[i * n + j] -= v[i] * w[j] + w[i] * v[j];
  }
  if (n > 0) t.diagonal[n - 1] = a[n * n - 1];
  return t;
}

}  // namespace gossip::detail
