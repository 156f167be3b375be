// Definitions of plan/influence.hpp.
#pragma once

#include <gossip/plan/influence.hpp>

#include <gossip/core/inline.hpp>
#include <gossip/plan/row_uses.hpp>

namespace gossip {

GOSSIP_INLINE void planned_influence::take(operation const &o, plan_window const &window) {
  row_uses const uses = uses_of(o);
  bool const from_others =
      o.kind() == operation_kind::mix ? mixes(*window.matrices[o.mix().matrix]) : nodes_ > 1;
  if (uses.every_node.written != 0 && from_others) fill_all(uses.every_node.written);
  if (uses.first.written != 0) {
    if (o.kind() == operation_kind::sum)
      write_sum(o, uses, window);
    else if (o.a >= owners_)
      write_payload(o, uses);
    else
      write_rows(o.a, o.b(), uses.first, uses.second);
  }
  if (uses.second.written != 0 && o.b() < owners_) write_rows(o.b(), o.a, uses.second, uses.first);
}

GOSSIP_INLINE bool planned_influence::mixes(mixing_matrix const &w) {
  for (std::size_t i = 0; i < w.rows(); ++i) {
    auto const row = w.row(i);
    for (std::size_t k = 0; k < row.columns.size(); ++k)
      if (row.columns[k] != i && row.values[k] != 0) return true;
  }
  return false;
}

GOSSIP_INLINE void planned_influence::write_sum(operation const &o, row_uses const &uses,
                                                plan_window const &window) {
  bool others = o.sum().over_all_nodes;
  for (std::size_t k = 0; k < o.sum().count && !others; ++k)
    others = window.terms[o.sum().first + k].owner != o.a;
  set(o.a, uses.first.written, others);
}

GOSSIP_INLINE void planned_influence::write_rows(node own, node other, used_slots const &of_own,
                                                 used_slots const &of_other) {
  bool others = (of_others_[own] & of_own.read) != 0;
  if (of_other.read != 0 && own != other)
    others = others || other < owners_ || origin(other) != own;
  set(own, of_own.written, others);
}

GOSSIP_INLINE void planned_influence::write_payload(operation const &o, row_uses const &uses) {
  node from = uses.first.read != 0 ? origin(o.a) : nobody;
  node const second = o.b();
  if (uses.second.slots() != 0 && second != o.a) {
    node const added = second >= owners_                              ? origin(second)
                       : (of_others_[second] & uses.second.read) != 0 ? many
                                                                      : second;
    from = from == nobody || from == added ? added : many;
  }
  std::size_t const place = o.a - owners_;
  if (place >= origins_.size()) origins_.resize(place + 1, nobody);
  origins_[place] = from;
}

}  // namespace gossip
