// Eigenvectors of the least eigenvalues of a sparse symmetric matrix on vectors of mean 0: subspace
// iteration with Chebyshev filters. Y. Saad, "Numerical methods for large eigenvalue problems"
// (2011), chapter 5; Y. Zhou, Y. Saad, M. Tiago, J. Chelikowsky 2006.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace gossip::detail {

/// Vectors side by side, so that a loop over the vectors of a row is one over neighbors in memory.
struct side_by_side_vectors {
  std::size_t rows = 0, count = 0;
  std::vector<double> values{};  // (rows, count)

  side_by_side_vectors() = default;
  side_by_side_vectors(std::size_t n, std::size_t k) : rows(n), count(k), values(n * k) {}
  double *row(std::size_t i) { return values.data() + i * count; }
  double const *row(std::size_t i) const { return values.data() + i * count; }
};

/// The eigenvalues of a symmetric matrix, ascending, and its eigenvectors as columns.
struct eigenpairs {
  std::vector<double> values;   // (n)
  std::vector<double> vectors;  // (n,n)
};

/// C. Jacobi 1846, by rows, until nothing beside the diagonal is left to rounding. O(n^3) a sweep.
eigenpairs all_eigenpairs(std::vector<double> a, std::size_t n);

/// x times the first `kept` columns of a matrix, (x.count, x.count).
side_by_side_vectors times(side_by_side_vectors const &x, std::vector<double> const &matrix,
                           std::size_t kept);

/// x' y. (x.count, y.count)
std::vector<double> inner_products(side_by_side_vectors const &x, side_by_side_vectors const &y);

/// Makes vectors orthonormal, and orthogonal to 1, one after the other; leaves out those that lie
/// in the space of the others but for a part of 1e-7. Twice, as once does not reach rounding.
side_by_side_vectors orthonormal(side_by_side_vectors const &x);

/// Makes the mean of every vector 0.
void center(side_by_side_vectors &x);

/// Eigenvectors of the least eigenvalues, ascending: all where there are few.
struct lowest_eigenvectors {
  side_by_side_vectors vectors{};
  std::vector<double> values{};

  double products = 0;  ///< of the matrix with one vector each, in the last approach

  static constexpr std::size_t most = 16;

  /// Comes from the vectors that it has, of a similar matrix, to those of A: until those of the
  /// first `wanted` have residuals of at most `relative` of their eigenvalue, or for some seconds.
  /// apply(x, y): y = A x. No eigenvalue of A is above `bound`.
  template <class Apply>
  void approach(std::size_t n, double bound, std::size_t wanted, double relative, Apply apply) {
    double const size = static_cast<double>(n);
    products = 0;
    mix_in_random(n);
    for (int filters = 0;; ++filters) {
      vectors = orthonormal(vectors);
      side_by_side_vectors image(n, vectors.count);
      apply(vectors, image);
      auto const [found, turned] = all_eigenpairs(inner_products(vectors, image), vectors.count);
      values = found;
      vectors = times(vectors, turned, values.size());
      image = times(image, turned, values.size());
      if (values.size() + 1 >= n || products * size >= 4e8) return;
      if (filters > 1 && settled(image, wanted, relative, bound)) return;
      filter(bound, apply);
    }
  }

 private:
  /// Half of the vectors are drawn anew: what the others lack of a new matrix's is in these.
  void mix_in_random(std::size_t n);

  bool settled(side_by_side_vectors const &image, std::size_t wanted, double relative,
               double bound) const;

  /// The Chebyshev polynomial of A on [greatest value here, bound] that raises the least about e^8
  /// times as much: T_k(x) grows as e^(k sqrt(2 d)) at a distance d beyond [-1, 1].
  template <class Apply>
  void filter(double bound, Apply apply) {
    double const low = std::min(values.back(), bound * (1 - 1e-6)), width = bound - low;
    double const beyond = std::max(low - values.front(), 1e-5 * width);
    double const degree = std::ceil(4 * std::sqrt(width / beyond));
    double const middle = (bound + low) / 2, half = width / 2;
    products += degree * static_cast<double>(vectors.count);
    side_by_side_vectors before = vectors, now(before.rows, before.count), next = now;
    apply(before, now);
    for (std::size_t e = 0; e < now.values.size(); ++e)
      now.values[e] = (now.values[e] - middle * before.values[e]) / half;
    for (double k = 1; k < degree; ++k) {
      apply(now, next);
      for (std::size_t e = 0; e < now.values.size(); ++e)
        next.values[e] = 2 * (next.values[e] - middle * now.values[e]) / half - before.values[e];
      center(next);  // rounding has a part along 1, which would grow most
      std::swap(before, now);
      std::swap(now, next);
    }
    vectors = std::move(now);
  }
};

}  // namespace gossip::detail

#ifndef GOSSIP_COMPILED
#include <gossip/mixing/detail/lowest_eigenvectors.ipp>
#endif
