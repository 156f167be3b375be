// Definitions of engine/used_rows.hpp.
#pragma once

#include <gossip/engine/used_rows.hpp>

#include <gossip/core/inline.hpp>

namespace gossip {

GOSSIP_INLINE std::size_t owners_of_operations::first_part(std::span<operation const> operations,
                                                           std::size_t owners, std::size_t most) {
  place_.resize(owners, none);
  for (owner_use const &one : uses_) place_[one.owner] = none;
  uses_.clear();
  for (std::size_t k = 0; k < operations.size(); ++k) {
    operation const &o = operations[k];
    row_uses const uses = uses_of(o);
    bool const second = uses.second.slots() != 0;
    std::size_t const more = std::size_t{place_[o.a] == none} + (second && place_[o.b()] == none);
    if (k > 0 && uses_.size() + more > most) return k;
    add(o.a, uses.first);
    if (second) add(o.b(), uses.second);
  }
  return operations.size();
}

GOSSIP_INLINE void owners_of_operations::add(node owner, used_slots const &used) {
  if (place_[owner] == none) {
    place_[owner] = static_cast<std::uint32_t>(uses_.size());
    uses_.push_back({owner, {}});
  }
  uses_[place_[owner]].used |= in_place(used);
}

}  // namespace gossip
