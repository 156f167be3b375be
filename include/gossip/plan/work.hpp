// The kinds of work of a plan's operations: a type each, which says what an operation of the kind
// has besides its rows, and what it uses where that is other than its list of rows.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>

#include <gossip/core/node.hpp>
#include <gossip/fleet/used_slots.hpp>
#include <gossip/plan/row_list.hpp>

namespace gossip {

/// The kind of an operation: namespace work has a type of each name.
enum class operation_kind : std::uint8_t {
  train,
  step,
  columns,
  mix,
  reduce,
  observe,
  reduce_rows,
  compute,
  whole_rows,
  sum,
};

/// Columns of rows from first up to last, which is not among them; by default all columns.
struct column_limits {
  std::uint32_t first = 0, last = std::numeric_limits<std::uint32_t>::max();

  constexpr bool are_all() const { return *this == column_limits{}; }
  constexpr bool hold(std::size_t column) const {
    return are_all() || (column >= first && column < last);
  }
  friend constexpr bool operator==(column_limits const &, column_limits const &) = default;
};

/// Numbers of columns of a row: all of them, those that an exchange works on, and those that are
/// trainable, which come first.
struct column_counts {
  std::size_t all = 0, exchanged = 0, trainable = 0;

  /// The end of the columns of rows that an exchange works on: of rows besides models the trainable
  /// ones among them; within limits those up to the last.
  constexpr std::size_t end_of_exchanged(row_list rows, column_limits const &limits) const {
    std::size_t const end = rows.only_models() ? exchanged : std::min(exchanged, trainable);
    if (limits.are_all()) return end;
    return std::max<std::size_t>(limits.first, std::min<std::size_t>(end, limits.last));
  }
};

/// The rows that an operation uses, by their owners. Where all nodes share one row, that is every
/// node's.
struct row_uses {
  used_slots first{}, second{};  ///< of owner a; of owner b
  used_slots every_node{};       ///< of all nodes
  std::uint32_t terms = 0;       ///< read, of each owner of a sum's terms

  /// Slots that are used of any owner.
  constexpr used_slots together() const {
    return {first.read | second.read | every_node.read | terms,
            first.written | second.written | every_node.written};
  }
  /// True where the operation uses no rows but those of owners a and b.
  constexpr bool of_two_owners() const { return every_node.slots() == 0 && terms == 0; }
};

/// The coefficients of a column function.
enum class coefficient_place : std::uint8_t {
  operation,  ///< the function has one coefficient or none; the operation holds the one
  window,     ///< plan_window::coefficients has them, from index `first` on
  scalars,    ///< plan_window::operands has them, from index `first` on: numbers or scalars
};

/// Kinds of work. x is the model of a node, slot 0; a and b are the owners of an operation's rows.
/// Each has
///
///     row_uses uses(row_uses listed) const;  // where other rows are used than the list says
///     std::size_t end(row_list, column_counts const &) const;  // of the columns that it uses
///     words() const;                         // 24 bytes, the same for the same work
///
/// Every type takes 24 bytes at most and has its kind as the first member, so that the kind of a
/// union of them can be read whichever of them it holds.
namespace work {

using words = std::array<std::uint64_t, 3>;

constexpr std::uint64_t word(operation_kind kind, std::uint64_t a, std::uint64_t b,
                             std::uint64_t c) {
  return static_cast<std::uint64_t>(kind) | a << 8 | b << 16 | c << 32;
}
constexpr std::uint64_t word(column_limits const &limits) {
  return std::uint64_t{limits.first} | std::uint64_t{limits.last} << 32;
}
constexpr std::uint64_t word(double x) {
  return std::bit_cast<std::uint64_t>(x);
}

/// A gradient at a row of node a, on a batch. A step may follow with nothing between.
struct train {
  operation_kind kind = operation_kind::train;
  std::uint8_t gradient_slot = 0;  ///< the slot that the gradient goes to; 0: it is absorbed
  bool counts = true;              ///< false: it is no node iteration, and its loss is not recorded
  bool names_share = false;        ///< the exchange has chosen the share; otherwise it is node a's
  node share = 0;                  ///< of the data, whose samples it takes
  double rate = 0;                 ///< of the step
  std::uint32_t batch = 0;         ///< of the share, from 0 on
  std::uint32_t step_number = 0;   ///< of the step, from 1 on; 0: none follows

  constexpr bool steps() const { return step_number != 0; }
  constexpr bool goes_to_row() const { return gradient_slot != 0; }

  /// The list names the model as written where the step may be part of it.
  constexpr row_uses uses(row_uses listed) const {
    if (!steps() && !goes_to_row()) listed.first.written &= ~std::uint32_t{1};
    return listed;
  }
  static constexpr std::size_t end(row_list, column_counts const &columns) { return columns.all; }
  constexpr work::words words() const {
    std::uint64_t const how = std::uint64_t{counts} | std::uint64_t{names_share} << 1;
    return {word(kind, gradient_slot, how, share), word(rate),
            std::uint64_t{step_number} << 32 | batch};
  }
};

/// x of owner a moves by what its optimizer has absorbed, or by a row that it absorbs first.
struct step {
  operation_kind kind = operation_kind::step;
  std::uint8_t gradient_slot = 0;  ///< the slot of the row that is absorbed; 0: no row is
  double rate = 0;
  std::uint64_t step_number = 0;  ///< of its optimizer, from 1 on

  constexpr bool takes_row() const { return gradient_slot != 0; }
  constexpr std::size_t end(row_list, column_counts const &columns) const {
    return takes_row() ? columns.trainable : columns.all;
  }
  constexpr work::words words() const {
    return {word(kind, gradient_slot, 0, 0), word(rate), step_number};
  }
};

/// A column function on rows of owner a, or of owners a and b.
struct columns {
  operation_kind kind = operation_kind::columns;
  coefficient_place place = coefficient_place::operation;
  std::uint16_t function = 0;  ///< its number
  node b = 0;
  column_limits limits{};
  union {
    double coefficient = 0;  ///< where place is operation
    std::uint64_t first;     ///< index in the window, where place is window or scalars
  };

  constexpr bool reads_scalars() const { return place == coefficient_place::scalars; }
  constexpr bool has_coefficient() const { return place == coefficient_place::operation; }
  constexpr std::size_t end(row_list rows, column_counts const &counts) const {
    return counts.end_of_exchanged(rows, limits);
  }
  constexpr work::words words() const {
    return {word(kind, static_cast<std::uint64_t>(place), function, b), word(limits),
            has_coefficient() ? word(coefficient) : first};
  }
};

/// X <- W X of one slot over all nodes, or another neighborhood function.
struct mix {
  operation_kind kind = operation_kind::mix;
  std::uint16_t function = 0;  ///< its number
  std::uint32_t matrix = 0;    ///< its number in the window
  column_limits limits{};

  static constexpr row_uses uses(row_uses listed) { return {.every_node = listed.first}; }
  constexpr std::size_t end(row_list rows, column_counts const &counts) const {
    return counts.end_of_exchanged(rows, limits);
  }
  constexpr work::words words() const { return {word(kind, 0, function, matrix), word(limits), 0}; }
};

/// The replica that all nodes share steps by the mean of their gradients.
struct reduce {
  operation_kind kind = operation_kind::reduce;
  double rate = 0;
  std::uint64_t step_number = 0;  ///< from 1 on

  static constexpr row_uses uses(row_uses) {
    constexpr std::uint32_t all = (std::uint32_t{1} << row_list::most_slots) - 1;
    return {.every_node = {all, all}};
  }
  static constexpr std::size_t end(row_list, column_counts const &columns) { return columns.all; }
  constexpr work::words words() const { return {word(kind, 0, 0, 0), word(rate), step_number}; }
};

/// Observers look at the network.
struct observe {
  operation_kind kind = operation_kind::observe;
  std::uint64_t observation = 0;  ///< its number in the window

  static constexpr row_uses uses(row_uses) { return {.every_node = {1, 0}}; }
  static constexpr std::size_t end(row_list, column_counts const &columns) { return columns.all; }
  constexpr work::words words() const { return {word(kind, 0, 0, 0), observation, 0}; }
};

/// A scalar = the sum of a row function over the columns, of rows of owners a and b.
struct reduce_rows {
  operation_kind kind = operation_kind::reduce_rows;
  bool of_others = false;      ///< the node that has the scalar may be neither a nor b
  std::uint16_t function = 0;  ///< its number
  node b = 0;
  std::uint32_t scalar = 0;  ///< its number in the window
  node owner = 0;            ///< the node that has the scalar

  static constexpr std::size_t end(row_list, column_counts const &columns) {
    return columns.trainable;
  }
  constexpr work::words words() const {
    return {word(kind, of_others, function, b), std::uint64_t{owner} << 32 | scalar, 0};
  }
};

/// A scalar of node a = a scalar function of operands.
struct compute {
  operation_kind kind = operation_kind::compute;
  std::uint16_t function = 0;  ///< its number
  std::uint32_t scalar = 0;    ///< its number in the window
  std::uint64_t operands = 0;  ///< the first of them in the window

  static constexpr std::size_t end(row_list, column_counts const &) { return 0; }
  constexpr work::words words() const { return {word(kind, 0, function, scalar), operands, 0}; }
};

/// A whole-row function on rows of owner a, and of owner b, which it reads.
struct whole_rows {
  operation_kind kind = operation_kind::whole_rows;
  bool with_operands = false;
  std::uint16_t function = 0;  ///< its number
  node b = 0;
  std::uint64_t operands = 0;  ///< the first of them in the window

  static constexpr std::size_t end(row_list, column_counts const &columns) {
    return columns.trainable;
  }
  constexpr work::words words() const {
    return {word(kind, with_operands, function, b), operands, 0};
  }
};

/// The row of owner a, or of all nodes, that is first in the list = the sum of weight * row over
/// the terms of the window, or of one weight * row over all nodes; row: the second in the list.
struct sum {
  operation_kind kind = operation_kind::sum;
  bool to_all_nodes = false, over_all_nodes = false;
  std::uint32_t count = 0;  ///< of terms
  column_limits limits{};
  union {
    std::uint64_t first = 0;  ///< of the terms
    double weight;            ///< of the rows of all nodes
  };

  constexpr row_uses uses(row_uses listed) const {
    row_uses all;
    (to_all_nodes ? all.every_node : all.first) = listed.first;
    (over_all_nodes ? all.every_node.read : all.terms) |= listed.second.read;
    return all;
  }
  constexpr std::size_t end(row_list rows, column_counts const &counts) const {
    return counts.end_of_exchanged(rows, limits);
  }
  constexpr work::words words() const {
    std::uint64_t const how = std::uint64_t{to_all_nodes} | std::uint64_t{over_all_nodes} << 1;
    return {word(kind, how, 0, count), word(limits), over_all_nodes ? word(weight) : first};
  }
};

/// Work of any kind.
union any {
  constexpr any(work::train const &w) : train(w) {}
  constexpr any(work::step const &w) : step(w) {}
  constexpr any(work::columns const &w) : columns(w) {}
  constexpr any(work::mix const &w) : mix(w) {}
  constexpr any(work::reduce const &w) : reduce(w) {}
  constexpr any(work::observe const &w) : observe(w) {}
  constexpr any(work::reduce_rows const &w) : reduce_rows(w) {}
  constexpr any(work::compute const &w) : compute(w) {}
  constexpr any(work::whole_rows const &w) : whole_rows(w) {}
  constexpr any(work::sum const &w) : sum(w) {}

  work::train train;
  work::step step;
  work::columns columns;
  work::mix mix;
  work::reduce reduce;
  work::observe observe;
  work::reduce_rows reduce_rows;
  work::compute compute;
  work::whole_rows whole_rows;
  work::sum sum;
};

static_assert(sizeof(any) == 24 && std::is_standard_layout_v<any>);

/// f(work) with the work of its kind. Any: any, or any const.
template <class Any, class F>
constexpr decltype(auto) visit(Any &what, F f) {
  switch (what.train.kind) {
    case operation_kind::train:
      return f(what.train);
    case operation_kind::step:
      return f(what.step);
    case operation_kind::columns:
      return f(what.columns);
    case operation_kind::mix:
      return f(what.mix);
    case operation_kind::reduce:
      return f(what.reduce);
    case operation_kind::observe:
      break;
    case operation_kind::reduce_rows:
      return f(what.reduce_rows);
    case operation_kind::compute:
      return f(what.compute);
    case operation_kind::whole_rows:
      return f(what.whole_rows);
    case operation_kind::sum:
      return f(what.sum);
  }
  return f(what.observe);
}

}  // namespace work

}  // namespace gossip
