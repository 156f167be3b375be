// Functions of a few scalars, in double on every backend.
//
// A scalar function is an empty type with
//
//   static constexpr std::size_t scalars;   how many scalars it is given, 1 to 8
//   static constexpr std::size_t numbers;   how many numbers of the plan, at most 8
//   template <class T> constexpr T operator()(T const *s, T const *c) const;
//
// where s are the scalars, c the numbers of the plan and T is double.
#pragma once

#include <array>
#include <cmath>
#include <concepts>
#include <cstddef>
#include <cstdint>

#include <gossip/op/column_table.hpp>

namespace gossip {

/// Scalars or numbers of the plan that a scalar function may be given.
inline constexpr std::size_t most_scalars = 8;

template <class F>
concept scalar_function = requires(F const &f, double const *s) {
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

}  // namespace op

/// Number of scalars and of numbers of the plan that a scalar function is given.
struct scalar_counts {
  std::size_t scalars = 0, numbers = 0;
};

/// A list of scalar functions; the number of a function is its place in the list.
template <scalar_function... Functions>
struct scalar_functions {
  static constexpr std::size_t size = sizeof...(Functions);

  template <class F>
  static constexpr std::uint16_t number_of = detail::place_in<F, Functions...>();

  static constexpr double call(std::uint16_t number, double const *s, double const *c) {
    double result = 0;
    std::uint16_t next = 0;
    ((number == next++ ? (result = Functions{}(s, c), true) : false) || ...);
    return result;
  }
  static constexpr scalar_counts counts(std::uint16_t number) {
    scalar_counts found;
    std::uint16_t next = 0;
    ((number == next++ ? (found = {Functions::scalars, Functions::numbers}, true) : false) || ...);
    return found;
  }
};

/// The library's scalar functions, which every plan may name.
using library_scalars =
    scalar_functions<op::clip_factor, op::length_factor, op::scaled, op::quotient>;

/// A scalar function behind plain pointers.
struct scalar_kernel {
  double (*call)(double const *s, double const *c);
  scalar_counts counts;
};

namespace detail {

template <class... F, class... G>
struct joined<scalar_functions<F...>, scalar_functions<G...>> {
  using type = scalar_functions<F..., G...>;
};

template <class F>
double call_scalar(double const *s, double const *c) {
  return F{}(s, c);
}

template <class List>
struct scalar_table_of;
template <class... F>
struct scalar_table_of<scalar_functions<F...>> {
  static constexpr std::array<scalar_kernel, sizeof...(F)> kernels{
      {{&call_scalar<F>, {F::scalars, F::numbers}}...}};
};

template <class X>
struct scalars {
  using type = library_scalars;
};
template <class X>
requires requires {
  typename X::scalars;
}
struct scalars<X> {
  using type = typename joined<library_scalars, typename X::scalars>::type;
};

}  // namespace detail

}  // namespace gossip
