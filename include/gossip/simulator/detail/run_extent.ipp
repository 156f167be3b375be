// Definitions of simulator/run_extent.hpp.
#pragma once

#include <gossip/simulator/run_extent.hpp>

#include <gossip/core/inline.hpp>
#include <gossip/engine/distributed/halo_pattern.hpp>

namespace gossip::detail {

GOSSIP_INLINE largest_part part_of(std::size_t nodes, std::size_t halo, bool in_rounds,
                                   bool on_device) {
  std::size_t const room = nodes / 4 + 4;
  if (halo == 0) return {nodes, 0, 0};
  if (!in_rounds) return {nodes, halo, room};
  if (halo > (on_device ? std::max(2 * nodes, room) : room)) return {nodes, halo, 4, true};
  return {nodes, halo, std::max<std::size_t>(halo, 4)};
}

GOSSIP_INLINE largest_part part_of(rank_layout const &layout, std::size_t halo, bool in_rounds,
                                   bool on_device, attached_owners const &attached) {
  largest_part part = part_of(layout.most(), halo, in_rounds, on_device);
  if (layout.all() > layout.nodes() && layout.ranks() > 1)
    part.borrowed = std::max(part.borrowed, layout.most() / 4 + 4);
  std::vector<std::size_t> payloads(layout.ranks(), 0);
  for (node const with : attached.payloads) ++payloads[layout.owner(with)];
  part.payloads = *std::max_element(payloads.begin(), payloads.end());
  return part;
}

GOSSIP_INLINE largest_part part_of(rank_layout const &layout, std::size_t halo, bool in_rounds,
                                   bool on_device, attachments const &attached) {
  largest_part part = part_of(layout, halo, in_rounds, on_device, attached.owners);
  if (layout.ranks() == 1) return part;
  for (mixing_matrix const *const w : attached.mixing)
    for (std::size_t const rows : halo_sizes(*w, layout)) {
      part.halo = std::max(part.halo, rows);
      part.staged |= rows > part.borrowed;
    }
  return part;
}

}  // namespace gossip::detail
