// Number of rows that a plan moves between ranks, counted from its operations.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>

#include <gossip/engine/distributed/halo_pattern.hpp>
#include <gossip/fleet/rank_layout.hpp>
#include <gossip/plan/window.hpp>

namespace gossip {

/// Counts window after window; the layout outlives it.
class communication_volume {
 public:
  explicit communication_volume(rank_layout const &layout) : layout_(layout) {}

  void count(plan_window const &window) {
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

  std::uint64_t total() const { return total_; }

 private:
  std::uint64_t halo_rows(mixing_matrix const &w) {
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

  rank_layout const &layout_;
  std::uint64_t total_ = 0, counted_rows_ = 0;
  std::uint64_t counted_ = 0;  // the identity of a matrix
};

}  // namespace gossip
