// Column functions by number, as a plan names and an engine looks them up.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include <gossip/core/repeat.hpp>
#include <gossip/op/adaptive_step.hpp>
#include <gossip/op/column.hpp>
#include <gossip/op/rounding.hpp>

namespace gossip {

namespace detail {

/// The place of F in a list of functions.
template <class F, class... Functions>
constexpr std::uint16_t place_in() {
  static_assert((std::is_same_v<F, Functions> || ...), "gossip::op: the list has no such function");
  std::uint16_t number = 0;
  bool found = false;
  ((found |= std::is_same_v<F, Functions>, number += !found), ...);
  return number;
}

}  // namespace detail

/// A list of column functions; the number of a function is its place in the list.
template <column_function... Functions>
struct column_functions {
  static constexpr std::size_t size = sizeof...(Functions);
  static constexpr std::size_t most_coefficients =
      std::max({std::size_t{0}, std::size_t{Functions::coefficients}...});

  template <class F>
  static constexpr bool holds = (std::is_same_v<F, Functions> || ...);

  template <class F>
  static constexpr std::uint16_t number_of = detail::place_in<F, Functions...>();

  /// One column by the function of a number, on a device as on the host.
  template <class T>
  static constexpr void call(std::uint16_t number, T const *c, T *x) {
    std::uint16_t next = 0;
    ((number == next++ ? (Functions{}(c, x), true) : false) || ...);
  }
  static constexpr std::size_t coefficients(std::uint16_t number) {
    std::uint16_t next = 0;
    std::size_t count = 0;
    static_cast<void>(
        ((number == next++ ? (count = Functions::coefficients, true) : false) || ...));
    return count;
  }
};

/// The library's column functions, which every plan may name.
using library_functions = column_functions<
    op::mean_of_two, op::interpolation, op::linear<1>, op::linear<2>, op::linear<3>, op::linear<4>,
    op::linear<5>, op::linear<6>, op::linear<7>, op::clear, op::add_difference, op::rounding<bf16>,
    op::rounding<fp16>, op::adaptive_step, op::add_chosen, op::squared_difference, op::below_mean,
    op::sign, op::count_before, op::add_where_either, op::nonzero, op::divide_by_nonzero>;

namespace detail {

/// One column after another; rows overlap wholly or not at all.
template <class F, class T>
void on_tile(T const *coefficients, T *const *rows, std::size_t count) {
  T c[F::coefficients + 1];
  T *x[F::rows];
  repeat<F::coefficients>([&](std::size_t k) { c[k] = coefficients[k]; });
  repeat<F::rows>([&](std::size_t k) { x[k] = rows[k]; });
#ifndef __clang__
#pragma GCC ivdep
#endif
  for (std::size_t column = 0; column < count; ++column) {
    T numbers[F::rows];
    repeat<F::rows>([&](std::size_t k) {
      if ((F::reads >> k & 1) != 0) numbers[k] = x[k][column];
    });
    F{}(c, numbers);
    repeat<F::rows>([&](std::size_t k) {
      if ((F::writes >> k & 1) != 0) x[k][column] = numbers[k];
    });
  }
}

template <class F, class T>
void on_one(T const *coefficients, T *column) {
  F{}(coefficients, column);
}

}  // namespace detail

/// A column function for rows of T, behind plain pointers: an engine on the host is compiled once
/// for all of them.
template <class T>
struct column_kernel {
  void (*tile)(T const *coefficients, T *const *rows, std::size_t count) = nullptr;
  void (*one)(T const *coefficients, T *column) = nullptr;
  std::size_t coefficients = 0;
};

namespace detail {

template <column_function F, class T>
inline constexpr column_kernel<T> column_kernel_of{&on_tile<F, T>, &on_one<F, T>, F::coefficients};

}  // namespace detail

}  // namespace gossip
