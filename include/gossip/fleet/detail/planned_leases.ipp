// Definitions of fleet/planned_leases.hpp.
#pragma once

#include <gossip/fleet/planned_leases.hpp>

#include <algorithm>

#include <gossip/core/inline.hpp>

namespace gossip {

GOSSIP_INLINE void planned_leases::begin(std::span<node const> order) {
  length_ = static_cast<place>(order.size());
  used_ = 0;
  std::ranges::fill(next_, none);
  after_.resize(length_);
  for (place p = length_; p-- > 0;) {
    after_[p] = next_[order[p]];
    next_[order[p]] = p;
  }
  first_ = next_;
}

GOSSIP_INLINE std::size_t planned_leases::next_use(node owner) {
  place &next = next_[owner];
  while (next != none && next + length_ / 4 < used_) next = after_[next];
  if (next != none) return next;
  return first_[owner] == none ? never : std::size_t{length_} + first_[owner];
}

}  // namespace gossip
