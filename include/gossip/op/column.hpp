// Functions of one column: numbers of a few rows in, numbers of a few rows out. All work of an
// engine, a device or a live learner on a column is one of these: no other code has its arithmetic.
//
// A column function is an empty type with
//
//   static constexpr std::size_t rows;          number of rows it names, at most 8
//   static constexpr std::size_t coefficients;  count of numbers of the plan it is given
//   static constexpr std::uint32_t reads;       bit k: it reads row k
//   static constexpr std::uint32_t writes;      bit k: it writes row k
//   template <class T> constexpr void operator()(T const *c, T *x) const;
//
// where c (coefficients) are cast from double once and x (rows) is one column of the rows, in the
// order in which an operation names them. T is float or double; rows in 16 bits arrive as float.
#pragma once

#include <cmath>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>

#include <gossip/core/repeat.hpp>

namespace gossip {

/// Rows that one operation may name.
inline constexpr std::size_t most_rows = 8;

template <class F>
concept column_function = requires(F const &f, double const *c, double *x) {
  requires F::rows >= 1 && F::rows <= most_rows;
  { F::coefficients } -> std::convertible_to<std::size_t>;
  { F::reads } -> std::convertible_to<std::uint32_t>;
  { F::writes } -> std::convertible_to<std::uint32_t>;
  f(c, x);
};

namespace op {

/// x, or infinity where it is no number.
template <class T>
constexpr T sorted_as(T x) {
  return x == x ? x : std::numeric_limits<T>::infinity();
}

/// x_0 = x_1 = (x_0 + x_1) / 2
struct mean_of_two {
  static constexpr std::size_t rows = 2, coefficients = 0;
  static constexpr std::uint32_t reads = 0b11, writes = 0b11;

  template <class T>
  constexpr void operator()(T const *, T *x) const {
    x[0] = x[1] = (x[0] + x[1]) * T(0.5);
  }
};
static_assert(column_function<mean_of_two>);

/// x_0 <- (1 - c_0) x_0 + c_0 x_1
struct interpolation {
  static constexpr std::size_t rows = 2, coefficients = 1;
  static constexpr std::uint32_t reads = 0b11, writes = 0b01;

  template <class T>
  constexpr void operator()(T const *c, T *x) const {
    x[0] = (T{1} - c[0]) * x[0] + c[0] * x[1];
  }
};
static_assert(column_function<interpolation>);

/// x_0 <- 0
struct clear {
  static constexpr std::size_t rows = 1, coefficients = 0;
  static constexpr std::uint32_t reads = 0b0, writes = 0b1;

  template <class T>
  constexpr void operator()(T const *, T *x) const {
    x[0] = T{0};
  }
};
static_assert(column_function<clear>);

/// x_0 <- c_0 x_1 + c_1 x_2 + ...: products are rounded, then added in the order of the rows.
template <std::size_t Terms>
struct linear {
  static constexpr std::size_t rows = Terms + 1, coefficients = Terms;
  static constexpr std::uint32_t reads = ((1U << (Terms + 1)) - 1) & ~1U, writes = 0b1;

  template <class T>
  constexpr void operator()(T const *c, T *x) const {
    T sum = c[0] * x[1];
    repeat<Terms - 1>([&](std::size_t k) { sum += c[k + 1] * x[k + 2]; });
    x[0] = sum;
  }
};
static_assert(column_function<linear<1>> && column_function<linear<7>>);

/// x_0 <- x_0 + c_0 c_1 (x_2 - x_1), and x_0 as it was where c_0 c_1 is 0, whatever x_1 and x_2
/// are.
struct add_difference {
  static constexpr std::size_t rows = 3, coefficients = 2;
  static constexpr std::uint32_t reads = 0b111, writes = 0b001;

  template <class T>
  constexpr void operator()(T const *c, T *x) const {
    T const share = c[0] * c[1];
    if (share != T{0}) x[0] += share * (x[2] - x[1]);
  }
};
static_assert(column_function<add_difference>);

/// x_0 <- x_0 + c_0 x_1, and x_0 as it was where c_0 is 0, whatever x_1 is.
struct add_chosen {
  static constexpr std::size_t rows = 2, coefficients = 1;
  static constexpr std::uint32_t reads = 0b11, writes = 0b01;

  template <class T>
  constexpr void operator()(T const *c, T *x) const {
    if (c[0] != T{0}) x[0] += c[0] * x[1];
  }
};
static_assert(column_function<add_chosen>);

/// x_0 <- (x_1 - x_2)^2
struct squared_difference {
  static constexpr std::size_t rows = 3, coefficients = 0;
  static constexpr std::uint32_t reads = 0b110, writes = 0b001;

  template <class T>
  constexpr void operator()(T const *, T *x) const {
    T const apart = x[1] - x[2];
    x[0] = apart * apart;
  }
};
static_assert(column_function<squared_difference>);

/// x_0 <- x_1 - c_0 sqrt(x_2)
struct below_mean {
  static constexpr std::size_t rows = 3, coefficients = 1;
  static constexpr std::uint32_t reads = 0b110, writes = 0b001;

  template <class T>
  constexpr void operator()(T const *c, T *x) const {
    x[0] = x[1] - c[0] * std::sqrt(x[2]);
  }
};
static_assert(column_function<below_mean>);

/// x_0 <- x_0 + 1 where x_2 stands before x_1 among numbers that are sorted: of equal ones where
/// c_0 is not 0. What is no number stands where an infinite one would. Counts that 16 bits hold are
/// exact up to 256.
struct count_before {
  static constexpr std::size_t rows = 3, coefficients = 1;
  static constexpr std::uint32_t reads = 0b111, writes = 0b001;

  template <class T>
  constexpr void operator()(T const *c, T *x) const {
    T const own = sorted_as(x[1]), other = sorted_as(x[2]);
    x[0] += other < own || (other == own && c[0] != T{0}) ? T{1} : T{0};
  }
};
static_assert(column_function<count_before>);

/// x_0 <- x_0 + c_2 x_2 where x_1 is c_0 or c_1, and x_0 as it was elsewhere.
struct add_where_either {
  static constexpr std::size_t rows = 3, coefficients = 3;
  static constexpr std::uint32_t reads = 0b111, writes = 0b001;

  template <class T>
  constexpr void operator()(T const *c, T *x) const {
    if (x[1] == c[0] || x[1] == c[1]) x[0] += c[2] * x[2];
  }
};
static_assert(column_function<add_where_either>);

/// x_0 <- 1 where it is above 0, -1 below; 0 and what is no number stay.
struct sign {
  static constexpr std::size_t rows = 1, coefficients = 0;
  static constexpr std::uint32_t reads = 0b1, writes = 0b1;

  template <class T>
  constexpr void operator()(T const *, T *x) const {
    x[0] = x[0] > T{0} ? T{1} : x[0] < T{0} ? T{-1} : x[0];
  }
};
static_assert(column_function<sign>);

/// x_0 <- 1 where x_1 is not 0, else 0.
struct nonzero {
  static constexpr std::size_t rows = 2, coefficients = 0;
  static constexpr std::uint32_t reads = 0b10, writes = 0b01;

  template <class T>
  constexpr void operator()(T const *, T *x) const {
    x[0] = x[1] != T{0} ? T{1} : T{0};
  }
};
static_assert(column_function<nonzero>);

/// x_0 <- x_0 / x_1, and x_0 as it was where x_1 is 0.
struct divide_by_nonzero {
  static constexpr std::size_t rows = 2, coefficients = 0;
  static constexpr std::uint32_t reads = 0b11, writes = 0b01;

  template <class T>
  constexpr void operator()(T const *, T *x) const {
    if (x[1] != T{0}) x[0] /= x[1];
  }
};
static_assert(column_function<divide_by_nonzero>);

}  // namespace op

}  // namespace gossip
