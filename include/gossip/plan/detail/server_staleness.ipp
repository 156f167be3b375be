// Definitions of plan/server_staleness.hpp.
#pragma once

#include <gossip/plan/server_staleness.hpp>

#include <gossip/core/inline.hpp>

namespace gossip {

GOSSIP_INLINE void server_staleness::write(operation const &o) {
  contents all;
  for (std::size_t k = 0; k < o.rows.size(); ++k) {
    row_access const one = o.rows[k];
    if (one.reads) all.add(contents_of(o.owner(one), one.slot));
  }
  for (std::size_t k = 0; k < o.rows.size(); ++k) {
    row_access const one = o.rows[k];
    if (one.writes) put(o.owner(one), one.slot, all);
  }
}

GOSSIP_INLINE void server_staleness::sum(operation const &o, plan_window const &window) {
  std::uint8_t const from = o.rows.slot_of(true);
  contents all;
  for (std::size_t k = 0; k < o.sum().count; ++k)
    all.add(contents_of(window.terms[o.sum().first + k].owner, from));
  put(o.a, o.rows.slot_of(false), std::move(all));
}

}  // namespace gossip
