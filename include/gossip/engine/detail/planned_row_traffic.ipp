// Definitions of engine/planned_row_traffic.hpp.
#pragma once

#include <gossip/engine/planned_row_traffic.hpp>

#include <gossip/core/inline.hpp>

namespace gossip {

GOSSIP_INLINE void planned_row_traffic::count(plan_window const &window) {
  for (std::size_t l = 0; l < window.levels(); ++l) {
    plan_level const level = window.level(l);
    for (operation const &o : level.cohort) add_owners(o);
    for (auto rest = level.row_operations; !rest.empty();) {
      auto const program = first_program(rest);
      add_program(program);
      rest = rest.subspan(program.size());
      if (rest.empty()) break;
      if (rest.front().kind() == operation_kind::sum) add_sum(rest.front());
      rest = rest.subspan(1);
    }
    add_last(level.last);
  }
}

GOSSIP_INLINE void planned_row_traffic::add_columns(used_slots const &used) {
  for (std::size_t s = 0; s < size_.slots(); ++s) {
    read_ += (used.read >> s & 1) * size_.rows_in(s);
    written_ += (used.written >> s & 1) * size_.rows_in(s);
  }
}

GOSSIP_INLINE void planned_row_traffic::add_program(std::span<operation const> operations) {
  used_slots together;
  bool const by_owners = lease_owners(by_owner_, size_, operations);
  for (operation const &o : operations) {
    row_uses const uses = uses_of(o);
    if (by_owners && uses.of_two_owners())
      add_owners(o);
    else if (by_owner_)
      add_columns(in_place(uses.together()));
    else
      together |= in_place(uses.together());
  }
  add_columns(together);
}

GOSSIP_INLINE void planned_row_traffic::add_sum(operation const &o) {
  used_slots const from{std::uint32_t{1} << o.rows.slot_of(true)};
  used_slots const to = changed_slots(std::uint32_t{1} << o.slot());
  std::size_t const terms = o.sum().count;
  bool const few = by_owner_ && uses_of(o).every_node.slots() == 0 && terms < owners_;
  if (few) return add(from, terms + 1), add(to, 1);
  add_columns(from);
  add_columns(to);
}

GOSSIP_INLINE void planned_row_traffic::add_last(std::span<operation const> operations) {
  used_slots scalars;
  bool const by_owners = lease_owners(by_owner_, size_, operations);
  for (operation const &o : operations) {
    if (o.kind() == operation_kind::whole_rows || by_owners)
      add_owners(o);
    else if (o.kind() == operation_kind::reduce_rows)
      scalars |= in_place(uses_of(o).together());
  }
  add_columns(scalars);
}

}  // namespace gossip
