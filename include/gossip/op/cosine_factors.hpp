// Cosines of op/cosine_transform.hpp, computed where they are asked for or kept in a table.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>

#include <gossip/core/elementary.hpp>

namespace gossip::op {

/// Numbers of a transform that the library knows; tables have room for as many.
inline constexpr std::size_t longest_cosine_transform = 128;

/// The size of the transforms that others are split into: those of odd size, and of at most 8.
constexpr std::size_t cosine_leaf(std::size_t size) {
  while (size > 8 && size % 2 == 0) size /= 2;
  return size;
}

/// DCT-II, (k, i) -> s_k cos(pi (2 i + 1) k / (2 m)), its transposed matrix, and DCT-IV,
/// (k, i) -> (2 / m)^(1/2) cos(pi (2 i + 1) (2 k + 1) / (4 m)), of m columns.
enum class cosine_matrix { second, second_transposed, fourth };

/// Cosine and sine of pi (2 j + 1) / (4 n), the angle by which a DCT-IV of n numbers turns those at
/// j and n - 1 - j.
template <class T>
struct cosine_turn {
  T cosine, sine;
};

/// Numbers of a row of a matrix, each rounded once from double. Cosines follow from the two before,
/// cos(t + a) = 2 cos(a) cos(t) - cos(t - a), which puts them off by some m^2 / 4 units in the last
/// place of a double: by 6e-13 of 127 numbers.
template <class T>
class cosine_row {
 public:
  constexpr cosine_row(cosine_matrix matrix, std::size_t size, std::size_t k)
      : scale_(std::sqrt(2.0 / static_cast<double>(size))), first_(scale_) {
    bool const along = matrix == cosine_matrix::second_transposed;
    std::size_t const steps = matrix == cosine_matrix::fourth ? 2 * k + 1
                              : along                         ? 4 * k + 2
                                                              : 2 * k;
    double const angle = static_cast<double>(steps) / static_cast<double>(8 * size);  // in turns
    now_ = along ? 1 : elementary::cos_turn(angle);
    before_ = now_;
    factor_ = 2 * elementary::cos_turn(along ? angle : 2 * angle);
    if (along) before_ = factor_ / 2;
    bool const constant = matrix == cosine_matrix::second && k == 0;
    if (along || constant) first_ = std::sqrt(1.0 / static_cast<double>(size));
    if (constant) scale_ = first_;
  }

  constexpr T next() {
    double const one = now_ * first_;
    double const now = factor_ * now_ - before_;
    before_ = now_;
    now_ = now;
    first_ = scale_;
    return static_cast<T>(one);
  }

 private:
  double scale_, first_, now_ = 0, before_ = 0, factor_ = 0;  // cos(t), cos(t - a), 2 cos(a)
};

/// Factors that are computed where they are asked for.
template <class T>
struct cosine_formula {
  static constexpr cosine_row<T> row(cosine_matrix matrix, std::size_t size, std::size_t k) {
    return {matrix, size, k};
  }
  static constexpr cosine_turn<T> turn(std::size_t n, std::size_t j) {
    double const angle = static_cast<double>(2 * j + 1) / static_cast<double>(8 * n);
    return {static_cast<T>(elementary::cos_turn(angle)),
            static_cast<T>(elementary::cos_turn(0.25 - angle))};
  }
};

/// The same numbers for transforms of one size; up to 258 KiB.
template <class T>
class cosine_table {
 public:
  constexpr explicit cosine_table(std::size_t size) {
    std::size_t const leaf = cosine_leaf(size);
    for (std::size_t n = 2 * leaf; n < size; n *= 2)
      for (std::size_t j = 0; j < n / 2; ++j) turns_[n / 2 + j] = cosine_formula<T>::turn(n, j);
    std::size_t const matrices = leaf < size ? 3 : 2;
    for (std::size_t m = 0; m < matrices; ++m)
      for (std::size_t k = 0; k < leaf; ++k) {
        cosine_row<T> row(static_cast<cosine_matrix>(m), leaf, k);
        for (std::size_t i = 0; i < leaf; ++i) numbers_[(m * leaf + k) * leaf + i] = row.next();
      }
  }

  struct row_of_table {
    T const *at;

    constexpr T next() { return *at++; }
  };
  constexpr row_of_table row(cosine_matrix matrix, std::size_t size, std::size_t k) const {
    return {&numbers_[(static_cast<std::size_t>(matrix) * size + k) * size]};
  }
  constexpr cosine_turn<T> turn(std::size_t n, std::size_t j) const { return turns_[n / 2 + j]; }

 private:
  static constexpr std::size_t most = longest_cosine_transform;

  std::array<T, 2 * most * most> numbers_;      // (matrix, row, column): three of half the size
  std::array<cosine_turn<T>, most / 2> turns_;  // n / 2 + j
};

}  // namespace gossip::op
