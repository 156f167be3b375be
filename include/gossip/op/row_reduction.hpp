// Functions that reduce rows to one number: a term per column, summed in double by one fixed tree
// on every backend, so that a sum has the same bits whatever cuts the columns; or the largest term.
//
// A row function is an empty type with
//
//   static constexpr std::size_t rows;   how many rows it reads, at most 8
//   template <class T> constexpr double operator()(T const *x) const;   the term of a column x
//
// T is float or double; rows in 16 bits arrive as float. One that turns numbers into double before
// it does anything else may say so,
//
//   static constexpr bool exact_in_double = true;
//
// and is given them in double where many sums share a row. One whose number is the largest term, or
// none if a term is no number, says
//
//   static constexpr bool takes_largest = true;
//
// The tree: a block has 2,048 columns, of
// which lane l of 16 adds columns l, l + 16, ... in ascending order; lanes are added in halves, l
// and l + 8, then l and l + 4, and so on; blocks are added in pairs of neighbors, then pairs of
// pairs, and so on.
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>

#include <gossip/core/repeat.hpp>
#include <gossip/op/column_table.hpp>

namespace gossip {

template <class F>
concept row_function = requires(F const &f, double const *x) {
  requires F::rows >= 1 && F::rows <= most_rows;
  { f(x) } -> std::same_as<double>;
};

/// Whether the term of numbers in float is that of the same numbers in double.
template <class F>
concept takes_doubles = row_function<F> && requires { requires F::exact_in_double; };

/// Whether the number is the largest term, not the sum.
template <class F>
concept takes_largest_term = row_function<F> && requires { requires F::takes_largest; };

namespace op {

/// |x_0|^2
struct squared_norm {
  static constexpr std::size_t rows = 1;
  static constexpr bool exact_in_double = true;

  template <class T>
  constexpr double operator()(T const *x) const {
    double const value = static_cast<double>(x[0]);
    return value * value;
  }
};
static_assert(row_function<squared_norm>);

/// |x_0 - x_1|^2
struct squared_distance {
  static constexpr std::size_t rows = 2;
  static constexpr bool exact_in_double = true;

  template <class T>
  constexpr double operator()(T const *x) const {
    double const apart = static_cast<double>(x[0]) - static_cast<double>(x[1]);
    return apart * apart;
  }
};
static_assert(row_function<squared_distance>);

/// <x_0, x_1>
struct dot_product {
  static constexpr std::size_t rows = 2;
  static constexpr bool exact_in_double = true;

  template <class T>
  constexpr double operator()(T const *x) const {
    return static_cast<double>(x[0]) * static_cast<double>(x[1]);
  }
};
static_assert(row_function<dot_product>);

/// max |x_0|
struct largest_magnitude {
  static constexpr std::size_t rows = 1;
  static constexpr bool exact_in_double = true, takes_largest = true;

  template <class T>
  constexpr double operator()(T const *x) const {
    double const value = static_cast<double>(x[0]);
    return value < 0 ? -value : value;
  }
};
static_assert(row_function<largest_magnitude>);

/// How two terms, or what has become of them, become one number.
struct term_fold {
  bool largest = false;

  /// Of no terms.
  constexpr double none() const { return largest ? -std::numeric_limits<double>::infinity() : 0; }
  constexpr double operator()(double a, double b) const {
    if (!largest) return a + b;
    return b > a || b != b ? b : a;
  }
};
template <class F>
inline constexpr term_fold fold_of{takes_largest_term<F>};

/// The fixed tree by which terms are summed.
struct reduction_tree {
  static constexpr std::size_t lanes = 16, block = 2048;

  static constexpr std::size_t blocks(std::size_t columns) { return (columns + block - 1) / block; }

  /// The sum of a block of lanes (16), which it changes.
  static constexpr double add_lanes(double *sums, term_fold fold = {}) {
    for (std::size_t half = lanes / 2; half > 0; half /= 2)
      for (std::size_t l = 0; l < half; ++l) sums[l] = fold(sums[l], sums[l + half]);
    return sums[0];
  }

  /// The sum of blocks (count), which it changes; of none 0.
  static constexpr double add_blocks(double *sums, std::size_t count, term_fold fold = {}) {
    for (std::size_t step = 1; step < count; step *= 2)
      for (std::size_t k = 0; k + step < count; k += 2 * step)
        sums[k] = fold(sums[k], sums[k + step]);
    return count > 0 ? sums[0] : fold.none();
  }
};

/// The same sum of blocks that come one by one in ascending order: a number a level of the tree.
class sum_of_blocks {
 public:
  constexpr void add(double sum) {
    std::size_t level = 0;
    for (; (count_ >> level & 1) != 0; ++level) sum = levels_[level] + sum;
    levels_[level] = sum;
    ++count_;
  }

  /// Of none 0.
  constexpr double value() const {
    double sum = 0;
    bool first = true;
    for (std::size_t level = 0; count_ >> level != 0; ++level) {
      if ((count_ >> level & 1) == 0) continue;
      sum = first ? levels_[level] : levels_[level] + sum;
      first = false;
    }
    return sum;
  }

 private:
  double levels_[64]{};
  std::size_t count_ = 0;
};

}  // namespace op

/// A list of row functions; the number of a function is its place in the list.
template <row_function... Functions>
struct row_functions {
  static constexpr std::size_t size = sizeof...(Functions);

  template <class F>
  static constexpr bool holds = (std::is_same_v<F, Functions> || ...);

  template <class F>
  static constexpr std::uint16_t number_of = detail::place_in<F, Functions...>();

  /// The term of one column by the function of a number.
  template <class T>
  static constexpr double call(std::uint16_t number, T const *x) {
    double term = 0;
    std::uint16_t next = 0;
    ((number == next++ ? (term = Functions{}(x), true) : false) || ...);
    return term;
  }
  /// What the function of a number does with its terms.
  static constexpr op::term_fold fold(std::uint16_t number) {
    op::term_fold found;
    std::uint16_t next = 0;
    ((number == next++ ? (found = op::fold_of<Functions>, true) : false) || ...);
    return found;
  }
};

/// The library's row functions, which every plan may name.
using library_reductions =
    row_functions<op::squared_norm, op::squared_distance, op::dot_product, op::largest_magnitude>;

/// A row function for rows of T, behind plain pointers.
template <class T>
struct reduction_kernel {
  /// Adds the terms of columns 0 to count of a block, or of a part that begins at a lane 0, to its
  /// lanes (16).
  void (*add)(T const *const *rows, std::size_t count, double *lanes) = nullptr;
  /// The same of the numbers in double; null where that might be another sum.
  void (*add_doubles)(double const *const *rows, std::size_t count, double *lanes) = nullptr;
  double (*one)(T const *column) = nullptr;
  op::term_fold fold{};
};

namespace detail {

template <class F, class T>
void add_terms(T const *const *rows, std::size_t count, double *lanes) {
  constexpr std::size_t width = op::reduction_tree::lanes;
  T const *x[F::rows];
  repeat<F::rows>([&](std::size_t k) { x[k] = rows[k]; });
  double sums[width];
  for (std::size_t l = 0; l < width; ++l) sums[l] = lanes[l];
  auto const add = [&](std::size_t column, std::size_t l) {
    T numbers[F::rows];
    repeat<F::rows>([&](std::size_t k) { numbers[k] = x[k][column]; });
    sums[l] = op::fold_of<F>(sums[l], F{}(numbers));
  };
  std::size_t first = 0;
  for (; first + width <= count; first += width)
    for (std::size_t l = 0; l < width; ++l) add(first + l, l);
  for (std::size_t l = 0; first + l < count; ++l) add(first + l, l);
  for (std::size_t l = 0; l < width; ++l) lanes[l] = sums[l];
}

template <class F, class T>
double one_term(T const *column) {
  return F{}(column);
}

template <class F>
constexpr auto adder_of_doubles() {
  using adder = void (*)(double const *const *, std::size_t, double *);
  if constexpr (takes_doubles<F>) return adder{&add_terms<F, double>};
  return adder{nullptr};
}

template <row_function F, class T>
inline constexpr reduction_kernel<T> reduction_kernel_of{&add_terms<F, T>, adder_of_doubles<F>(),
                                                         &one_term<F, T>, op::fold_of<F>};

}  // namespace detail

}  // namespace gossip
