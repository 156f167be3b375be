// Functions of whole rows: a column of the result depends on all columns, as with the largest k
// numbers of a row. Each call is worked on by a team: one thread on the host, a block of threads on
// a device.
//
// A whole-row function is an empty type with
//
//   static constexpr std::size_t rows;          number of rows it names, at most 8
//   static constexpr std::size_t coefficients;  number of numbers it is given, at most 8
//   static constexpr std::uint32_t reads;       bit k: it reads row k
//   static constexpr std::uint32_t writes;      bit k: it writes row k
//   template <class T, class Team>
//   constexpr void operator()(Team const &team, std::size_t columns, double const *c,
//                             T *const *x) const;
//
// where c (coefficients) are numbers of the plan or scalars and x (rows, columns) are the trainable
// columns of the rows, in the order in which an operation names them. T is float or double; rows in
// 16 bits arrive as float. Rows that it writes and does not read hold anything before.
//
// A function of a model's tensors takes a row_tensors (op/row_tensors.hpp) in the place of columns:
// the first column and the matrix shape of each.
//
// A team has three verbs, and every thread of it must come by each call of them:
//
//   team.each(count, f)     f(i) for every i below count; all of them are done when it returns
//   team.count(count, p)    number of i below count for which p(i) is true
//   team.sum(count, term)   sum of term(i), a double, over i below count, by the tree of
//                           op/row_reduction.hpp: the same bits for any team
//
// Code outside of them is run by every thread of the team, so it must not write rows. No row that
// is written is given twice. Products of matrices are built on them: op/team_product.hpp. A
// function has no memory but the rows that it names.
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>

#include <gossip/op/column.hpp>
#include <gossip/op/column_table.hpp>
#include <gossip/op/row_reduction.hpp>
#include <gossip/op/row_tensors.hpp>

namespace gossip {

namespace op {

/// A team of one thread.
struct one_thread {
  template <class F>
  constexpr void each(std::size_t count, F f) const {
    for (std::size_t i = 0; i < count; ++i) f(i);
  }

  template <class P>
  constexpr std::size_t count(std::size_t count, P p) const {
    constexpr std::size_t part = std::size_t{1} << 20;
    std::size_t sum = 0;
    for (std::size_t first = 0; first < count; first += part) {
      std::size_t const last = count - first < part ? count : first + part;
      std::uint32_t found = 0;  // as wide as what is compared, so that both fill vectors
      for (std::size_t i = first; i < last; ++i) found += p(i) ? 1U : 0U;
      sum += found;
    }
    return sum;
  }

  template <class Term>
  constexpr double sum(std::size_t count, Term term) const {
    constexpr std::size_t lanes = reduction_tree::lanes;
    sum_of_blocks blocks;
    for (std::size_t first = 0; first < count; first += reduction_tree::block) {
      std::size_t const rest = count - first;
      std::size_t const last =
          first + (rest < reduction_tree::block ? rest : reduction_tree::block);
      double sums[lanes]{}, terms[lanes]{};  // apart, so that both loops fill vectors
      std::size_t i = first;
      for (; i + lanes <= last; i += lanes) {
        for (std::size_t l = 0; l < lanes; ++l) terms[l] = term(i + l);
        for (std::size_t l = 0; l < lanes; ++l) sums[l] += terms[l];
      }
      for (std::size_t l = 0; i + l < last; ++l) sums[l] += term(i + l);
      blocks.add(reduction_tree::add_lanes(sums));
    }
    return blocks.value();
  }
};

/// f(team, k) by teams of one thread.
template <class F>
struct by_one_thread {
  F f;

  constexpr void operator()(std::size_t k) const { f(one_thread{}, k); }
};

}  // namespace op

/// Numbers that one whole-row function may be given.
inline constexpr std::size_t most_coefficients = 8;

/// Functions that take the number of columns, and functions that take their tensors.
template <class F>
concept takes_columns = requires(F const &f, double const *c, double *const *x) {
  f(op::one_thread{}, std::size_t{1}, c, x);
};
template <class F>
concept takes_tensors = requires(F const &f, double const *c, double *const *x) {
  f(op::one_thread{}, row_tensors{}, c, x);
};

template <class F>
concept whole_row_function = (takes_columns<F> || takes_tensors<F>) && requires {
  requires F::rows >= 1 && F::rows <= most_rows;
  requires F::coefficients <= most_coefficients;
  { F::reads } -> std::convertible_to<std::uint32_t>;
  requires F::writes != 0;
};

namespace detail {

template <class F, class Team, class T>
constexpr void call_on_rows(Team const &team, row_tensors const &tensors, double const *c,
                            T *const *x) {
  if constexpr (takes_columns<F>)
    F{}(team, tensors.columns(), c, x);
  else
    F{}(team, tensors, c, x);
}

}  // namespace detail

/// A list of whole-row functions; the number of a function is its place in the list.
template <whole_row_function... Functions>
struct whole_row_functions {
  static constexpr std::size_t size = sizeof...(Functions);

  template <class F>
  static constexpr bool holds = (std::is_same_v<F, Functions> || ...);

  template <class F>
  static constexpr std::uint16_t number_of = detail::place_in<F, Functions...>();

  template <class Team, class T>
  static constexpr void call(std::uint16_t number, Team const &team, row_tensors const &tensors,
                             double const *c, T *const *x) {
    std::uint16_t next = 0;
    ((number == next++ ? (detail::call_on_rows<Functions>(team, tensors, c, x), true) : false) ||
     ...);
  }
  static constexpr std::size_t coefficients(std::uint16_t number) {
    std::uint16_t next = 0;
    std::size_t count = 0;
    ((number == next++ ? (count = Functions::coefficients, true) : false) || ...);
    return count;
  }
};

/// A whole-row function for rows of T, behind plain pointers, for one thread.
template <class T>
struct whole_row_kernel {
  void (*run)(row_tensors const &tensors, double const *c, T *const *x) = nullptr;
  std::size_t coefficients = 0;
};

namespace detail {

template <class F, class T>
void on_whole_rows(row_tensors const &tensors, double const *c, T *const *x) {
  call_on_rows<F>(op::one_thread{}, tensors, c, x);
}

template <whole_row_function F, class T>
inline constexpr whole_row_kernel<T> whole_row_kernel_of{&on_whole_rows<F, T>, F::coefficients};

}  // namespace detail

}  // namespace gossip
