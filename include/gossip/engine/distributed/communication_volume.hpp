// Number of rows that a plan moves between ranks, counted from its operations.
#pragma once

#include <cstddef>
#include <cstdint>

#include <gossip/fleet/rank_layout.hpp>
#include <gossip/plan/window.hpp>

namespace gossip {

/// Counts window after window; the layout outlives it.
class communication_volume {
 public:
  explicit communication_volume(rank_layout const &layout) : layout_(layout) {}

  void count(plan_window const &window);

  std::uint64_t total() const { return total_; }

 private:
  std::uint64_t halo_rows(mixing_matrix const &w);

  rank_layout const &layout_;
  std::uint64_t total_ = 0, counted_rows_ = 0;
  std::uint64_t counted_ = 0;  // the identity of a matrix
};

}  // namespace gossip

#ifndef GOSSIP_COMPILED
#include <gossip/engine/distributed/detail/communication_volume.ipp>
#endif
