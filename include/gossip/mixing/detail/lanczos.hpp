// The eigenvalue of largest absolute value of a symmetric operator on vectors of mean 0.
// C. Lanczos 1950, without reorthogonalization: C. Paige 1980 shows that rounding only repeats
// eigenvalues that were found already, which does not touch the extremes. Memory: three vectors.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <gossip/core/random.hpp>
#include <gossip/mixing/detail/tridiagonal.hpp>

namespace gossip::detail {

struct extreme_eigenvalue {
  double magnitude = 0.0;
  bool converged = false;
  std::size_t iterations = 0;
};

inline double inner_product(std::vector<double> const &a, std::vector<double> const &b) {
  double sum = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

inline void subtract_mean(std::vector<double> &x) {
  double sum = 0.0;
  for (double const value : x) sum += value;
  double const mean = sum / static_cast<double>(x.size());
  for (double &value : x) value -= mean;
}

/// The larger end of a spectrum, from k Lanczos steps. An eigenvalue lies within |residual * last
/// component| of each Ritz value; both ends must be known to `relative` of the distance to 1.
inline extreme_eigenvalue larger_end(tridiagonal t, double residual, double relative) {
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

/// apply(x, y) sets y = A x. Stops when the distance of the result to 1 is known to `relative`.
template <class Apply>
extreme_eigenvalue lanczos(std::size_t n, std::size_t most_iterations, double relative,
                           Apply apply) {
  std::vector<double> before(n, 0.0);  // (n)
  std::vector<double> now(n);          // (n)
  std::vector<double> next(n);         // (n)
  for (std::size_t i = 0; i < n; ++i)
    now[i] = keyed_random(0, purpose::spectrum, static_cast<std::uint32_t>(i), 0).uniform() - 0.5;
  subtract_mean(now);
  double const length = std::sqrt(inner_product(now, now));
  if (length == 0.0) return {0.0, true, 0};
  for (double &value : now) value /= length;

  tridiagonal t;
  std::size_t next_check = 16;
  for (double coupling = 0.0;;) {
    apply(now, next);
    double const alpha = inner_product(now, next);
    for (std::size_t i = 0; i < n; ++i) next[i] -= alpha * now[i] + coupling * before[i];
    subtract_mean(next);
    coupling = std::sqrt(inner_product(next, next));
    t.diagonal.push_back(alpha);
    t.beside.push_back(coupling);
    std::size_t const k = t.diagonal.size();
    bool const last = k >= most_iterations || coupling < 1e-13;
    if (last || k == next_check) {
      extreme_eigenvalue const found = larger_end(t, coupling, relative);
      if (last || found.converged) return found;
      next_check += k / 2;
    }
    for (double &value : next) value /= coupling;
    before.swap(now);
    now.swap(next);
  }
}

}  // namespace gossip::detail
