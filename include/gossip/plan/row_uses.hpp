// The rows that an operation reads and writes, said once: for causes, ranks, staleness, counts of
// writes, and whatever else follows rows through a plan. Levels are found before an operation is
// complete, from its list alone (plan/levels.hpp).
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

#include <gossip/core/node.hpp>
#include <gossip/fleet/used_slots.hpp>
#include <gossip/plan/operation.hpp>
#include <gossip/plan/row_list.hpp>

namespace gossip {

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
  /// Whether it uses rows of owners a and b alone.
  constexpr bool of_two_owners() const { return every_node.slots() == 0 && terms == 0; }
};

/// The rows that an operation reads and writes.
constexpr row_uses uses_of(operation const &o) {
  constexpr std::uint32_t all = (std::uint32_t{1} << row_list::most_slots) - 1;
  row_uses uses;
  if (o.kind == operation_kind::observe) uses.every_node.read = 1;
  if (o.kind == operation_kind::reduce) uses.every_node = {all, all};
  for (std::size_t k = 0; k < o.rows.size(); ++k) {
    row_access const one = o.rows[k];
    used_slots &owner = one.of_second ? uses.second : uses.first;
    owner.read |= std::uint32_t{one.reads} << one.slot;
    owner.written |= std::uint32_t{one.writes} << one.slot;
  }
  switch (o.kind) {
    case operation_kind::mix:
      uses.every_node = std::exchange(uses.first, {});
      break;
    case operation_kind::sum:
      if (o.goes_to_all_nodes()) uses.every_node = std::exchange(uses.first, {});
      (o.sums_all_nodes() ? uses.every_node.read : uses.terms) |= uses.second.read;
      uses.second = {};
      break;
    case operation_kind::train:
      // It names the model as written where its step may be part of it.
      if (!o.fused_step() && !o.names_gradient_row()) uses.first.written &= ~std::uint32_t{1};
      break;
    default:
      break;
  }
  return uses;
}

/// The slots that an operation uses of one owner among `nodes` nodes and others behind them, but
/// for terms of a sum.
constexpr used_slots uses_of(operation const &o, node owner, std::size_t nodes) {
  row_uses const uses = uses_of(o);
  used_slots own;
  if (owner == o.a) own |= uses.first;
  if (owner == o.b) own |= uses.second;
  if (owner < nodes) own |= uses.every_node;
  return own;
}

/// Numbers of columns of a row: all of them, those that an exchange works on, and those that are
/// trainable, which come first.
struct column_counts {
  std::size_t all = 0, exchanged = 0, trainable = 0;
};

/// The end of the columns that an operation uses, which begin with o.first_column(): of mixtures,
/// sums and functions of columns those that are exchanged, of rows besides models the trainable
/// ones among them, or the fragment's. A training writes the trainable ones alone of a row that its
/// gradient goes to.
constexpr std::size_t end_of_columns(operation const &o, column_counts const &columns) {
  switch (o.kind) {
    case operation_kind::columns:
    case operation_kind::mix:
    case operation_kind::sum: {
      std::size_t const end =
          o.rows.only_models() ? columns.exchanged : std::min(columns.exchanged, columns.trainable);
      return std::max(o.first_column(), std::min(end, o.last_column(end)));
    }
    case operation_kind::reduce_rows:
    case operation_kind::whole_rows:
      return columns.trainable;
    case operation_kind::step:
      return o.names_gradient_row() ? columns.trainable : columns.all;
    case operation_kind::compute:
      return 0;
    case operation_kind::train:
    case operation_kind::reduce:
    case operation_kind::observe:
      return columns.all;
  }
  return columns.all;
}

}  // namespace gossip
