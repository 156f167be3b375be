// The discrete cosine transform of a few numbers and its inverse. N. Ahmed, T. Natarajan, K. R.
// Rao, "Discrete cosine transform", IEEE Trans. Computers 1974: DCT-II, scaled so that it is
// orthonormal. Even sizes are split as in G. Plonka, M. Tasche, "Fast and numerically stable
// algorithms for discrete cosine transforms", Linear Algebra and its Applications 2005.
#pragma once

#include <cstddef>

#include <gossip/core/bits.hpp>
#include <gossip/op/cosine_factors.hpp>

namespace gossip::op {

/// y_k = s_k sum_i x_i cos(pi (2 i + 1) k / (2 N)) of N numbers, s_0 = (1 / N)^(1/2) and
/// s_k = (2 / N)^(1/2); the inverse is the transposed matrix. With N = m 2^l, where m is odd or at
/// most 8, it takes some (m + 3 l) N steps, each an orthogonal one of numbers T. V: T, or a vector
/// of them, one of each of many transforms, with the bits that T has.
template <class T, class V = T>
class cosine_transform {
 public:
  /// y (size) of x (size), which holds anything then. Factors: cosine_formula or a cosine_table of
  /// this size.
  template <class Factors>
  static constexpr void forward(Factors const &factors, std::size_t size, V *x, V *y) {
    std::size_t const leaf = cosine_leaf(size);
    places at{x, y};
    for (std::size_t n = size; n > leaf; n /= 2)
      each_block(size, n, at,
                 [&](bool fourth, V const *from, V *to) { fold(factors, fourth, n, from, to); });
    each_block(size, leaf, at, [&](bool fourth, V const *from, V *to) {
      multiply(factors, fourth ? cosine_matrix::fourth : cosine_matrix::second, leaf, from, to);
    });
    for (std::size_t n = 2 * leaf; n <= size; n *= 2)
      each_block(size, n, at,
                 [=](bool fourth, V const *from, V *to) { interleave(fourth, n, from, to); });
  }

  /// x (size) of y (size), which holds anything then.
  template <class Factors>
  static constexpr void inverse(Factors const &factors, std::size_t size, V *y, V *x) {
    std::size_t const leaf = cosine_leaf(size);
    places at{y, x};
    for (std::size_t n = size; n > leaf; n /= 2)
      each_block(size, n, at,
                 [=](bool fourth, V const *from, V *to) { separate(fourth, n, from, to); });
    each_block(size, leaf, at, [&](bool fourth, V const *from, V *to) {
      multiply(factors, fourth ? cosine_matrix::fourth : cosine_matrix::second_transposed, leaf,
               from, to);
    });
    for (std::size_t n = 2 * leaf; n <= size; n *= 2)
      each_block(size, n, at,
                 [&](bool fourth, V const *from, V *to) { unfold(factors, fourth, n, from, to); });
  }

 private:
  static constexpr T half_root = static_cast<T>(0.70710678118654752440);  // (1 / 2)^(1/2)

  struct places {
    V *from, *to;
  };

  /// f(whether it is a DCT-IV, from, to) of every block of n numbers, which are at the other place
  /// then. A DCT-II has a half of either kind, a DCT-IV two of DCT-II. Passes are odd in number, so
  /// the last ends where the result belongs.
  template <class F>
  static constexpr void each_block(std::size_t size, std::size_t n, places &at, F f) {
    for (std::size_t b = 0; b * n < size; ++b)
      f(trailing_ones(b) % 2 == 1, at.from + b * n, at.to + b * n);
    at = {at.to, at.from};
  }

  /// Numbers of a DCT to those of its two halves.
  template <class Factors>
  static constexpr void fold(Factors const &factors, bool fourth, std::size_t n, V const *x,
                             V *to) {
    std::size_t const half = n / 2;
    for (std::size_t j = 0; j < half; ++j) {
      V const p = x[j], q = x[n - 1 - j];
      if (fourth) {
        auto const [cosine, sine] = factors.turn(n, j);
        V const other = cosine * q - sine * p;
        to[j] = cosine * p + sine * q;
        to[half + j] = j % 2 == 0 ? other : -other;
      } else {
        to[j] = half_root * (p + q);
        to[half + j] = half_root * (p - q);
      }
    }
  }
  template <class Factors>
  static constexpr void unfold(Factors const &factors, bool fourth, std::size_t n, V const *from,
                               V *x) {
    std::size_t const half = n / 2;
    for (std::size_t j = 0; j < half; ++j) {
      V const p = from[j], q = from[half + j];
      if (fourth) {
        auto const [cosine, sine] = factors.turn(n, j);
        V const other = j % 2 == 0 ? q : -q;
        x[j] = cosine * p - sine * other;
        x[n - 1 - j] = sine * p + cosine * other;
      } else {
        x[j] = half_root * (p + q);
        x[n - 1 - j] = half_root * (p - q);
      }
    }
  }

  /// Results of two halves to those of a DCT: by turns, which a DCT-IV has as sum and difference.
  static constexpr void interleave(bool fourth, std::size_t n, V const *from, V *y) {
    std::size_t const half = n / 2;
    y[0] = from[0];
    y[n - 1] = fourth ? -from[half] : from[n - 1];
    for (std::size_t k = 1; k < half; ++k)
      if (fourth) {
        V const p = from[k], q = from[n - k];
        y[2 * k] = half_root * (p + q);
        y[2 * k - 1] = half_root * (p - q);
      } else {
        y[2 * k] = from[k];
        y[2 * k - 1] = from[half + k - 1];
      }
  }
  static constexpr void separate(bool fourth, std::size_t n, V const *y, V *to) {
    std::size_t const half = n / 2;
    to[0] = y[0];
    to[fourth ? half : n - 1] = fourth ? -y[n - 1] : y[n - 1];
    for (std::size_t k = 1; k < half; ++k) {
      V const even = y[2 * k], odd = y[2 * k - 1];
      to[k] = fourth ? half_root * (even + odd) : even;
      to[fourth ? n - k : half + k - 1] = fourth ? half_root * (even - odd) : odd;
    }
  }

  /// A matrix of `size` times x.
  template <class Factors>
  static constexpr void multiply(Factors const &factors, cosine_matrix matrix, std::size_t size,
                                 V const *x, V *y) {
    for (std::size_t k = 0; k < size; ++k) {
      auto row = factors.row(matrix, size, k);
      V sum = row.next() * x[0];
      for (std::size_t i = 1; i < size; ++i) sum += row.next() * x[i];
      y[k] = sum;
    }
  }
};

}  // namespace gossip::op
