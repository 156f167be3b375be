// Definitions of engine/distributed/halo_pattern.hpp.
#pragma once

#include <gossip/engine/distributed/halo_pattern.hpp>

#include <gossip/core/inline.hpp>

namespace gossip {

GOSSIP_INLINE halo_pattern halo_of(mixing_matrix const &w, rank_layout const &layout) {
  halo_pattern halo;
  auto const me = static_cast<std::uint32_t>(layout.rank());
  for (std::size_t i = 0; i < w.rows(); ++i) {
    auto const listener = static_cast<std::uint32_t>(layout.owner(static_cast<node>(i)));
    for (node const j : w.row(i).columns) {
      auto const owner = static_cast<std::uint32_t>(layout.owner(j));
      if (owner == listener) continue;
      if (listener == me) halo.incoming.push_back({owner, j});
      if (owner == me) halo.outgoing.push_back({listener, j});
    }
  }
  for (auto *const rows : {&halo.incoming, &halo.outgoing}) {
    std::sort(rows->begin(), rows->end());
    rows->erase(std::unique(rows->begin(), rows->end()), rows->end());
  }
  return halo;
}

GOSSIP_INLINE std::vector<std::size_t> halo_sizes(mixing_matrix const &w,
                                                  rank_layout const &layout) {
  std::vector<halo_row> all;
  for (std::size_t i = 0; i < w.rows(); ++i) {
    auto const listener = static_cast<std::uint32_t>(layout.owner(static_cast<node>(i)));
    for (node const j : w.row(i).columns)
      if (layout.owner(j) != listener) all.push_back({listener, j});
  }
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  std::vector<std::size_t> sizes(layout.ranks(), 0);
  for (halo_row const &one : all) ++sizes[one.rank];
  return sizes;
}

}  // namespace gossip
