// The rows that an operation reads and writes, said once: for causes, ranks, staleness, counts of
// writes, and whatever else follows rows through a plan. Levels are found before an operation is
// complete, from its list alone (plan/levels.hpp).
#pragma once

#include <cstddef>
#include <cstdint>

#include <gossip/core/node.hpp>
#include <gossip/fleet/used_slots.hpp>
#include <gossip/plan/operation.hpp>
#include <gossip/plan/row_list.hpp>

namespace gossip {

/// The rows that an operation reads and writes.
constexpr row_uses uses_of(operation const &o) {
  row_uses listed;
  for (std::size_t k = 0; k < o.rows.size(); ++k) {
    row_access const one = o.rows[k];
    used_slots &owner = one.of_second ? listed.second : listed.first;
    owner.read |= std::uint32_t{one.reads} << one.slot;
    owner.written |= std::uint32_t{one.writes} << one.slot;
  }
  return o.visit([&](auto const &work) {
    if constexpr (requires { work.uses(listed); })
      return work.uses(listed);
    else
      return listed;
  });
}

/// The slots that an operation uses of one owner among `nodes` nodes and others behind them, but
/// for terms of a sum.
constexpr used_slots uses_of(operation const &o, node owner, std::size_t nodes) {
  row_uses const uses = uses_of(o);
  used_slots own;
  if (owner == o.a) own |= uses.first;
  if (owner == o.b()) own |= uses.second;
  if (owner < nodes) own |= uses.every_node;
  return own;
}

/// The end of the columns that an operation uses, which begin with o.first_column(). A training
/// writes the trainable ones alone of a row that its gradient goes to.
constexpr std::size_t end_of_columns(operation const &o, column_counts const &columns) {
  return o.visit([&](auto const &work) { return work.end(o.rows, columns); });
}

}  // namespace gossip
