// Functions of a few scalars, in double on every backend.
//
// A scalar function is an empty type with
//
//   static constexpr std::size_t scalars;   how many scalars it is given, 1 to 8
//   static constexpr std::size_t numbers;   how many numbers of the plan, at most 8
//   template <class T> constexpr T operator()(T const *s, T const *c) const;
//
// where s are the scalars, c the numbers of the plan and T is double. One of any number of scalars
// is an empty type with
//
//   static constexpr std::size_t numbers;
//   template <class List> constexpr double operator()(List const &s, double const *c) const;
//
// where s[k], k < s.size(), are the scalars, at least one; it keeps no copy of them.
#pragma once

#include <array>
#include <cmath>
#include <concepts>
#include <cstddef>
#include <cstdint>

#include <gossip/op/column_table.hpp>
#include <gossip/op/operand.hpp>

namespace gossip {

/// Scalars or numbers of the plan that a scalar function may be given.
inline constexpr std::size_t most_scalars = 8;

/// A scalar function of any number of scalars.
template <class F>
concept list_function = requires(F const &f, operand_list const &s, double const *c) {
  requires F::numbers <= most_scalars;
  { f(s, c) } -> std::same_as<double>;
};

template <class F>
concept scalar_function = list_function<F> || requires(F const &f, double const *s) {
  requires F::scalars >= 1 && F::scalars <= most_scalars &&F::numbers <= most_scalars;
  { f(s, s) } -> std::same_as<double>;
};

namespace op {

/// min(1, c_0 / sqrt(s_0)): the factor that makes a vector of the squared length s_0 no longer than
/// c_0. 0 where that is no number.
struct clip_factor {
  static constexpr std::size_t scalars = 1, numbers = 1;

  template <class T>
  constexpr T operator()(T const *s, T const *c) const {
    T const factor = c[0] / std::sqrt(s[0]);
    return factor >= T{1} ? T{1} : factor == factor ? factor : T{0};
  }
};
static_assert(scalar_function<clip_factor>);

/// c_0 / sqrt(s_0): the factor that brings a vector of the squared length s_0 to length c_0; 0
/// where s_0 is 0 or no number.
struct length_factor {
  static constexpr std::size_t scalars = 1, numbers = 1;

  template <class T>
  constexpr T operator()(T const *s, T const *c) const {
    return s[0] > T{0} ? c[0] / std::sqrt(s[0]) : T{0};
  }
};
static_assert(scalar_function<length_factor>);

/// c_0 s_0
struct scaled {
  static constexpr std::size_t scalars = 1, numbers = 1;

  template <class T>
  constexpr T operator()(T const *s, T const *c) const {
    return c[0] * s[0];
  }
};
static_assert(scalar_function<scaled>);

/// s_0 / s_1
struct quotient {
  static constexpr std::size_t scalars = 2, numbers = 0;

  template <class T>
  constexpr T operator()(T const *s, T const *) const {
    return s[0] / s[1];
  }
};
static_assert(scalar_function<quotient>);

/// 1 / max(c_0, sqrt(s_0)): the inverse of the length of a vector of the squared length s_0, at
/// most 1 / c_0; 0 where s_0 is no number.
struct inverse_length {
  static constexpr std::size_t scalars = 1, numbers = 1;

  template <class T>
  constexpr T operator()(T const *s, T const *c) const {
    T const length = std::sqrt(s[0]);
    return length == length ? T{1} / (length > c[0] ? length : c[0]) : T{0};
  }
};
static_assert(scalar_function<inverse_length>);

/// Number c_0 of the scalars, from 0 on, over the sum of all.
struct share_of_sum {
  static constexpr std::size_t numbers = 1;

  template <class List>
  constexpr double operator()(List const &s, double const *c) const {
    double sum = 0;
    for (std::size_t k = 0; k < s.size(); ++k) sum += s[k];
    return s[static_cast<std::size_t>(c[0])] / sum;
  }
};
static_assert(list_function<share_of_sum>);

/// The place of scalar k where all are sorted: of equal ones the earlier comes first, what is no
/// number comes last.
template <class List>
constexpr std::size_t place_among(List const &s, std::size_t k) {
  auto const less = [](double a, double b) { return a < b || (a == a && b != b); };
  std::size_t before = 0;
  for (std::size_t j = 0; j < s.size(); ++j)
    before += less(s[j], s[k]) || (j < k && !less(s[k], s[j])) ? 1U : 0U;
  return before;
}

/// The sum of the c_0 least scalars, added in their order. O(size^2).
struct sum_of_least {
  static constexpr std::size_t numbers = 1;

  template <class List>
  constexpr double operator()(List const &s, double const *c) const {
    double sum = 0;
    for (std::size_t k = 0; k < s.size(); ++k)
      if (static_cast<double>(place_among(s, k)) < c[0]) sum += s[k];
    return sum;
  }
};
static_assert(list_function<sum_of_least>);

/// 1 / c_1 where number c_0 of the scalars is among the c_1 least, else 0. O(size).
struct share_of_least {
  static constexpr std::size_t numbers = 2;

  template <class List>
  constexpr double operator()(List const &s, double const *c) const {
    auto const place = place_among(s, static_cast<std::size_t>(c[0]));
    return static_cast<double>(place) < c[1] ? 1 / c[1] : 0.0;
  }
};
static_assert(list_function<share_of_least>);

}  // namespace op

namespace detail {

template <class F>
constexpr double call_scalar(operand const *given, double const *scalars) {
  if constexpr (list_function<F>) {
    double c[F::numbers + 1]{};
    for (std::size_t k = 0; k < F::numbers; ++k) c[k] = given[k].value(scalars);
    return F{}(operand_list(given + F::numbers, scalars), c);
  } else {
    double numbers[F::scalars + F::numbers]{};
    for (std::size_t k = 0; k < F::scalars + F::numbers; ++k) numbers[k] = given[k].value(scalars);
    return F{}(numbers, numbers + F::scalars);
  }
}

}  // namespace detail

/// A list of scalar functions; the number of a function is its place in the list.
template <scalar_function... Functions>
struct scalar_functions {
  static constexpr std::size_t size = sizeof...(Functions);

  template <class F>
  static constexpr bool holds = (std::is_same_v<F, Functions> || ...);

  template <class F>
  static constexpr std::uint16_t number_of = detail::place_in<F, Functions...>();

  /// The value of the function of a number, given operands: scalars, then numbers, or where it
  /// takes any number of scalars, numbers, then scalars.
  static constexpr double call(std::uint16_t number, operand const *given, double const *scalars) {
    double result = 0;
    std::uint16_t next = 0;
    ((number == next++ ? (result = detail::call_scalar<Functions>(given, scalars), true) : false) ||
     ...);
    return result;
  }
};

/// The library's scalar functions, which every plan may name.
using library_scalars =
    scalar_functions<op::clip_factor, op::length_factor, op::scaled, op::quotient,
                     op::inverse_length, op::share_of_sum, op::sum_of_least, op::share_of_least>;

/// A scalar function behind plain pointers.
struct scalar_kernel {
  double (*call)(operand const *given, double const *scalars) = nullptr;
};

}  // namespace gossip
