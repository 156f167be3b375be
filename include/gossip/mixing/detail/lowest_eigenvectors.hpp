// Eigenvectors of the least eigenvalues of a sparse symmetric matrix on vectors of mean 0: subspace
// iteration with Chebyshev filters. Y. Saad, "Numerical methods for large eigenvalue problems"
// (2011), chapter 5; Y. Zhou, Y. Saad, M. Tiago, J. Chelikowsky 2006.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

#include <gossip/core/random.hpp>

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
inline eigenpairs all_eigenpairs(std::vector<double> a, std::size_t n) {
  std::vector<double> q(n * n, 0.0);  // eigenvectors as rows
  for (std::size_t i = 0; i < n; ++i) q[i * n + i] = 1;
  auto const turn = [n](double *x, double *y, double c, double s) {
    for (std::size_t k = 0; k < n; ++k) {
      double const kept = x[k];
      x[k] = c * kept - s * y[k], y[k] = s * kept + c * y[k];
    }
  };
  double size = 0;
  for (double const one : a) size += one * one;
  for (int sweep = 0; sweep < 40; ++sweep) {
    double beside = 0;
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < i; ++j) beside += a[i * n + j] * a[i * n + j];
    if (!(beside > 1e-31 * size)) break;
    for (std::size_t i = 1; i < n; ++i)
      for (std::size_t j = 0; j < i; ++j) {
        double const off = a[i * n + j];
        if (off == 0) continue;
        double const half = (a[j * n + j] - a[i * n + i]) / (2 * off);
        double const t = std::copysign(1.0, half) / (std::abs(half) + std::sqrt(half * half + 1));
        double const c = 1 / std::sqrt(t * t + 1), s = t * c;
        turn(&a[i * n], &a[j * n], c, s);
        for (std::size_t k = 0; k < n; ++k) {
          double const kept = a[k * n + i];
          a[k * n + i] = c * kept - s * a[k * n + j], a[k * n + j] = s * kept + c * a[k * n + j];
        }
        turn(&q[i * n], &q[j * n], c, s);
      }
  }
  std::vector<std::size_t> order(n);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, {}, [&](std::size_t k) { return std::pair(a[k * n + k], k); });
  eigenpairs found{std::vector<double>(n), std::vector<double>(n * n)};
  for (std::size_t k = 0; k < n; ++k) {
    found.values[k] = a[order[k] * n + order[k]];
    for (std::size_t i = 0; i < n; ++i) found.vectors[i * n + k] = q[order[k] * n + i];
  }
  return found;
}

/// x times the first `kept` columns of a matrix, (x.count, x.count).
inline side_by_side_vectors times(side_by_side_vectors const &x, std::vector<double> const &matrix,
                                  std::size_t kept) {
  side_by_side_vectors y(x.rows, kept);
  for (std::size_t i = 0; i < x.rows; ++i)
    for (std::size_t k = 0; k < x.count; ++k) {
      double const one = x.row(i)[k];
      for (std::size_t c = 0; c < kept; ++c) y.row(i)[c] += one * matrix[k * x.count + c];
    }
  return y;
}

/// x' y. (x.count, y.count)
inline std::vector<double> inner_products(side_by_side_vectors const &x,
                                          side_by_side_vectors const &y) {
  std::vector<double> sum(x.count * y.count, 0.0);
  for (std::size_t i = 0; i < x.rows; ++i)
    for (std::size_t k = 0; k < x.count; ++k) {
      double const one = x.row(i)[k];
      for (std::size_t c = 0; c < y.count; ++c) sum[k * y.count + c] += one * y.row(i)[c];
    }
  return sum;
}

/// Makes vectors orthonormal, and orthogonal to 1, one after the other; leaves out those that lie
/// in the space of the others but for a part of 1e-7. Twice, as once does not reach rounding.
inline side_by_side_vectors orthonormal(side_by_side_vectors const &x) {
  std::size_t const n = x.rows;
  std::vector<std::vector<double>> kept;
  for (std::size_t k = 0; k < x.count; ++k) {
    std::vector<double> one(n);
    for (std::size_t i = 0; i < n; ++i) one[i] = x.row(i)[k];
    auto const squares = [&] {
      double sum = 0;
      for (double const value : one) sum += value * value;
      return sum;
    };
    double const before = squares();
    for (int pass = 0; pass < 2; ++pass) {
      double const mean = std::accumulate(one.begin(), one.end(), 0.0) / static_cast<double>(n);
      for (double &value : one) value -= mean;
      for (auto const &other : kept) {
        double along = 0;
        for (std::size_t i = 0; i < n; ++i) along += one[i] * other[i];
        for (std::size_t i = 0; i < n; ++i) one[i] -= along * other[i];
      }
    }
    double const after = squares();
    if (!(after > 1e-14 * before)) continue;
    for (double &value : one) value /= std::sqrt(after);
    kept.push_back(std::move(one));
  }
  side_by_side_vectors y(n, kept.size());
  for (std::size_t k = 0; k < y.count; ++k)
    for (std::size_t i = 0; i < n; ++i) y.row(i)[k] = kept[k][i];
  return y;
}

/// Makes the mean of every vector 0.
inline void center(side_by_side_vectors &x) {
  std::vector<double> mean(x.count, 0.0);
  for (std::size_t i = 0; i < x.rows; ++i)
    for (std::size_t k = 0; k < x.count; ++k) mean[k] += x.row(i)[k];
  for (double &one : mean) one /= static_cast<double>(x.rows);
  for (std::size_t i = 0; i < x.rows; ++i)
    for (std::size_t k = 0; k < x.count; ++k) x.row(i)[k] -= mean[k];
}

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
  void mix_in_random(std::size_t n) {
    std::size_t const count = std::min(most, n - 1), kept = std::min(vectors.count, count / 2);
    side_by_side_vectors start(n, count);
    for (std::size_t i = 0; i < n; ++i) {
      keyed_random random(0, purpose::spectrum, static_cast<std::uint32_t>(i), 1);
      for (std::size_t k = 0; k < count; ++k)
        start.row(i)[k] = k < kept ? vectors.row(i)[k] : random.uniform() - 0.5;
    }
    vectors = std::move(start);
  }

  bool settled(side_by_side_vectors const &image, std::size_t wanted, double relative,
               double bound) const {
    for (std::size_t k = 0; k < std::min(wanted, values.size()); ++k) {
      double square = 0;
      for (std::size_t i = 0; i < image.rows; ++i) {
        double const left = image.row(i)[k] - values[k] * vectors.row(i)[k];
        square += left * left;
      }
      if (std::sqrt(square) > relative * std::abs(values[k]) + 1e-13 * bound) return false;
    }
    return true;
  }

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
