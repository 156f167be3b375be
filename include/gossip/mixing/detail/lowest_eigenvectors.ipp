// Definitions of mixing/detail/lowest_eigenvectors.hpp.
#pragma once

#include <gossip/mixing/detail/lowest_eigenvectors.hpp>

#include <numeric>

#include <gossip/core/inline.hpp>
#include <gossip/core/random.hpp>

namespace gossip::detail {

GOSSIP_INLINE eigenpairs all_eigenpairs(std::vector<double> a, std::size_t n) {
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

GOSSIP_INLINE side_by_side_vectors times(side_by_side_vectors const &x,
                                         std::vector<double> const &matrix, std::size_t kept) {
  side_by_side_vectors y(x.rows, kept);
  for (std::size_t i = 0; i < x.rows; ++i)
    for (std::size_t k = 0; k < x.count; ++k) {
      double const one = x.row(i)[k];
      for (std::size_t c = 0; c < kept; ++c) y.row(i)[c] += one * matrix[k * x.count + c];
    }
  return y;
}

GOSSIP_INLINE std::vector<double> inner_products(side_by_side_vectors const &x,
                                                 side_by_side_vectors const &y) {
  std::vector<double> sum(x.count * y.count, 0.0);
  for (std::size_t i = 0; i < x.rows; ++i)
    for (std::size_t k = 0; k < x.count; ++k) {
      double const one = x.row(i)[k];
      for (std::size_t c = 0; c < y.count; ++c) sum[k * y.count + c] += one * y.row(i)[c];
    }
  return sum;
}

GOSSIP_INLINE side_by_side_vectors orthonormal(side_by_side_vectors const &x) {
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

GOSSIP_INLINE void center(side_by_side_vectors &x) {
  std::vector<double> mean(x.count, 0.0);
  for (std::size_t i = 0; i < x.rows; ++i)
    for (std::size_t k = 0; k < x.count; ++k) mean[k] += x.row(i)[k];
  for (double &one : mean) one /= static_cast<double>(x.rows);
  for (std::size_t i = 0; i < x.rows; ++i)
    for (std::size_t k = 0; k < x.count; ++k) x.row(i)[k] -= mean[k];
}

GOSSIP_INLINE void lowest_eigenvectors::mix_in_random(std::size_t n) {
  std::size_t const count = std::min(most, n - 1), kept = std::min(vectors.count, count / 2);
  side_by_side_vectors start(n, count);
  for (std::size_t i = 0; i < n; ++i) {
    keyed_random random(0, purpose::spectrum, static_cast<std::uint32_t>(i), 1);
    for (std::size_t k = 0; k < count; ++k)
      start.row(i)[k] = k < kept ? vectors.row(i)[k] : random.uniform() - 0.5;
  }
  vectors = std::move(start);
}

GOSSIP_INLINE bool lowest_eigenvectors::settled(side_by_side_vectors const &image,
                                                std::size_t wanted, double relative,
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

}  // namespace gossip::detail
