// Definitions of engine/distributed/communication_volume.hpp.
#pragma once

#include <gossip/engine/distributed/communication_volume.hpp>

#include <algorithm>
#include <numeric>

#include <gossip/core/inline.hpp>
#include <gossip/engine/distributed/halo_pattern.hpp>

namespace gossip {

GOSSIP_INLINE void communication_volume::count(plan_window const &window) {
  for (operation const &o : window.stream) {
    if (o.kind() == operation_kind::mix) {
      total_ += halo_rows(*window.matrices[o.mix().matrix]);
    } else if (o.kind() == operation_kind::sum) {
      total_ += 2 * (layout_.ranks() - 1);  // the partial sums of all ranks, there and back
    } else if (o.reduces_others()) {
      std::size_t const to = layout_.owner(o.owner_of_scalar());
      if (layout_.owner(o.a) != to) ++total_;
      if (layout_.owner(o.b()) != to) ++total_;
    } else if (o.rows.names_second() && layout_.owner(o.a) != layout_.owner(o.b())) {
      total_ += o.rows.writes_second() ? 2U : 1U;
    }
  }
}

GOSSIP_INLINE std::uint64_t communication_volume::halo_rows(mixing_matrix const &w) {
  if (counted_ != w.identity()) {
    counted_ = w.identity();
    auto const sizes = halo_sizes(w, layout_);
    counted_rows_ = std::accumulate(sizes.begin(), sizes.end(), std::uint64_t{0});
    // Then ranks swap rows for columns and back, see mixture_of.
    if (*std::max_element(sizes.begin(), sizes.end()) > 2 * layout_.most())
      counted_rows_ = 2 * layout_.nodes() * (layout_.ranks() - 1) / layout_.ranks();
  }
  return counted_rows_;
}

}  // namespace gossip
