// Definitions of clock/network_cuts.hpp.
#pragma once

#include <gossip/clock/network_cuts.hpp>

#include <string>

#include <gossip/clock/units.hpp>
#include <gossip/core/error.hpp>
#include <gossip/core/inline.hpp>

namespace gossip {

GOSSIP_INLINE cut_times::cut_times(std::vector<network_cut> const &cuts, std::size_t nodes) {
  for (network_cut const &cut : cuts) {
    if (cut.from < virtual_time(0) || cut.until <= cut.from || cut.until == virtual_time::max())
      throw input_error("clock: cut", "a time of at least 0ns and a later time",
                        exact_duration(cut.from) + " and " + exact_duration(cut.until));
    sides_.push_back({cut.from, cut.until, std::vector<std::uint8_t>(nodes)});
    for (node const i : cut.nodes) {
      if (i >= nodes)
        throw input_error("clock: cut", "nodes below " + std::to_string(nodes), std::to_string(i));
      sides_.back().inside[i] = 1;
    }
  }
}

GOSSIP_INLINE virtual_time cut_times::joined_from(node i, node j, virtual_time t) const {
  for (bool moved = true; moved;) {
    moved = false;
    for (side const &one : sides_)
      if (one.from <= t && t < one.until && one.has(i) != one.has(j)) {
        t = one.until;
        moved = true;
      }
  }
  return t;
}

}  // namespace gossip
