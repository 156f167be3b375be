// State of engines of all kinds between windows, by the same names. It is complete: scalars and
// borrowed rows do not outlive a window, and what follows from the plan alone is planned again.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include <gossip/core/named_state.hpp>
#include <gossip/core/node.hpp>
#include <gossip/fleet/fleet.hpp>
#include <gossip/fleet/named_rows.hpp>
#include <gossip/fleet/used_slots.hpp>
#include <gossip/plan/row_fault.hpp>

namespace gossip {

/// Rows; training losses since the last observation; scales of the loss; counts of the writes that
/// round.
template <class Fleet, class Copies, class Losses, class Scaling, class Writes>
void name_engine_state(state_visitor const &visit, Fleet const &rows, Copies const &copies,
                       Losses &losses, Scaling &scaling, Writes &writes) {
  fleet_size const &size = rows.size();
  name_rows(visit, rows, copies);
  losses.name_state(visit.within("losses"), held_owners(rows, size.nodes));
  scaling.name_state(visit.within("scaling"), held_owners(rows, size.nodes + size.servers));
  writes.name_state(visit, held_owners(rows, size.owners()));
}

/// The sums of gradients since the last reduce, (d) each, of all ranks; (0): nodes have rows of
/// their own.
inline void name_sums(state_visitor const &visit, std::span<std::int64_t> coarse,
                      std::span<std::int64_t> fine) {
  if (coarse.empty()) return;
  visit.numbers("sums/coarse", coarse);
  visit.numbers("sums/fine", fine);
}

/// The extreme number of a row in host memory.
template <class Fleet>
std::optional<extreme_number> extreme_in(Fleet const &rows, node i, std::uint8_t slot) {
  auto const here = rows.whole(used_slots{std::uint32_t{1} << slot}, i);
  return extreme_of(std::span(here.row(slot, i), rows.size().parameters));
}

}  // namespace gossip
