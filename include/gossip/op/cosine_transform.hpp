// The discrete cosine transform of a few numbers and its inverse. N. Ahmed, T. Natarajan, K. R.
// Rao, "Discrete cosine transform", IEEE Trans. Computers 1974: DCT-II, scaled so that it is
// orthonormal.
#pragma once

#include <cmath>
#include <cstddef>

#include <gossip/core/elementary.hpp>

namespace gossip::op {

/// y_k = s_k sum_i x_i cos(pi (2 i + 1) k / (2 N)) of N numbers, s_0 = (1 / N)^(1/2) and
/// s_k = (2 / N)^(1/2); the inverse is the transposed matrix. N^2 steps. Sums are taken in double,
/// each in ascending order, and rounded once. Cosines follow from the two before, which puts them
/// off by some N^2 / 4 units in the last place of a double: by 6e-13 of 127 numbers.
struct cosine_transform {
  /// y (size) of x (size); they do not overlap.
  template <class T>
  static constexpr void forward(std::size_t size, T const *x, T *y) {
    for (std::size_t k = 0; k < size; ++k) {
      waves cosine = of_frequency(size, k);
      double sum = 0;
      for (std::size_t i = 0; i < size; ++i) sum += static_cast<double>(x[i]) * cosine.next();
      y[k] = static_cast<T>(scale(size, k) * sum);
    }
  }

  /// x (size) of y (size); they do not overlap.
  template <class T>
  static constexpr void inverse(std::size_t size, T const *y, T *x) {
    double const constant = scale(size, 0), wave = scale(size, 1);
    for (std::size_t i = 0; i < size; ++i) {
      waves cosine = of_column(size, i);
      double sum = 0;
      for (std::size_t k = 0; k < size; ++k)
        sum += (k == 0 ? constant : wave) * static_cast<double>(y[k]) * cosine.next();
      x[i] = static_cast<T>(sum);
    }
  }

  /// cos(t), cos(t + a), cos(t + 2 a) and so on: cos(t + a) = 2 cos(a) cos(t) - cos(t - a).
  struct waves {
    double now, before, factor;  // cos(t), cos(t - a), 2 cos(a)

    constexpr double next() {
      double const one = now;
      now = factor * now - before;
      before = one;
      return one;
    }
  };

  /// The cosines of y_k, by i.
  static constexpr waves of_frequency(std::size_t size, std::size_t k) {
    double const first = cosine_of(size, k);
    return {first, first, 2 * cosine_of(size, 2 * k)};
  }
  /// The cosines of x_i, by k.
  static constexpr waves of_column(std::size_t size, std::size_t i) {
    double const along = cosine_of(size, 2 * i + 1);
    return {1, along, 2 * along};
  }

  /// s_k
  static constexpr double scale(std::size_t size, std::size_t k) {
    return std::sqrt((k == 0 ? 1.0 : 2.0) / static_cast<double>(size));
  }

 private:
  /// cos(pi steps / (2 size)) for less than a turn of 4 size steps.
  static constexpr double cosine_of(std::size_t size, std::size_t steps) {
    return elementary::cos_turn(static_cast<double>(steps) / static_cast<double>(4 * size));
  }
};

}  // namespace gossip::op
