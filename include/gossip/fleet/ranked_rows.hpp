// The rows of all nodes as one rank sees them: its own at hand, the others' on demand.
#pragma once

#include <algorithm>
#include <cstddef>
#include <mutex>
#include <span>
#include <vector>

#include <gossip/core/node.hpp>
#include <gossip/fleet/fleet.hpp>
#include <gossip/fleet/memory.hpp>
#include <gossip/fleet/rank_layout.hpp>
#include <gossip/fleet/row_window.hpp>

namespace gossip {

/// The rows of a network for observers where nodes are spread over ranks, in place of a fleet. All
/// ranks look at the same time and ask the same.
template <class T, class Fleet, class Ranks>
class ranked_rows {
 public:
  using element = typename Fleet::element;

  /// Everything outlives it. whole: the size of the network's fleet.
  ranked_rows(Fleet const &own, rank_layout const &layout, Ranks const &ranks, fleet_size whole)
      : own_(own), layout_(layout), ranks_(ranks), whole_(whole) {}

  fleet_size const &size() const { return whole_; }

  /// The parameters of any node. The first call brings the rows of the whole network to every
  /// rank, with memory for them until the next observation; throws gossip::error where there is
  /// none. A limit of memory does not count them. A sum over nodes does better with each_window()
  /// and all_reduce_sum(), as observer/network_mean.hpp.
  T const *parameters(node i) const {
    if (whole_.shared) return own_.parameters(0);
    std::lock_guard const one_at_a_time(gathering_);
    if (all_.empty()) gather();
    return all_.data() + i * whole_.parameters;
  }

  /// The nodes of this rank, ascending, and their parameters.
  std::span<node const> held() const { return layout_.own(); }
  T const *held_parameters(node i) const { return own_.parameters(i); }

  /// Of those, see fleet/row_window.hpp.
  template <class F>
  void each_window(std::size_t first, std::size_t last, F f) const {
    gossip::each_window(own_, first, last, f);
  }

  /// The same, see each_row().
  template <class F>
  void each_row(F f) const {
    gossip::each_row(own_, f);
  }

  /// Sums and maxima over ranks. Sums of doubles are exact where one rank's addend only is not 0.
  template <class V>
  void all_reduce_sum(std::span<V> values) const {
    ranks_.all_reduce_sum(values);
  }
  void all_reduce_max(std::span<double> values) const { ranks_.all_reduce_max(values); }

  /// The rows have changed.
  void renew() {
    all_.clear();
    all_.shrink_to_fit();
  }

 private:
  void gather() const {
    std::size_t const d = whole_.parameters;
    require_memory({.rows = whole_.nodes * d * sizeof(T)}, available_memory());
    all_.resize(whole_.nodes * d);
    each_window(0, d, [&](auto const &part) {
      for (std::size_t k = 0; k < part.values.rows; ++k)
        std::ranges::copy(part.values[k], all_.data() + held()[part.begin + k] * d + part.first);
    });
    for (std::size_t i = 0; i < whole_.nodes; ++i) {
      std::span<T> const to(all_.data() + i * d, d);
      ranks_.broadcast(std::as_writable_bytes(to), layout_.owner(static_cast<node>(i)));
    }
  }

  Fleet const &own_;
  rank_layout const &layout_;
  Ranks const &ranks_;
  fleet_size whole_;
  mutable std::mutex gathering_;
  mutable std::vector<T> all_;  // (n,d), or empty
};

/// Whether rows are spread over ranks.
template <class Rows>
concept spread_over_ranks = requires(Rows const &rows) { rows.held(); };

/// All nodes, as the list of those whose rows are here.
struct every_node {
  constexpr node operator[](std::size_t k) const { return static_cast<node>(k); }
};

/// The nodes whose rows are here, by their place among these.
template <class Rows>
auto held_nodes(Rows const &rows) {
  if constexpr (spread_over_ranks<Rows>)
    return rows.held();
  else
    return every_node{};
}

/// The parameters of a node whose rows are here.
template <class Rows>
auto const *held_parameters(Rows const &rows, node i) {
  if constexpr (spread_over_ranks<Rows>)
    return rows.held_parameters(i);
  else
    return rows.parameters(i);
}

/// Adds what all ranks have; nothing where there is one.
template <class Rows, class V>
void all_reduce_sum(Rows const &rows, std::vector<V> &values) {
  if constexpr (spread_over_ranks<Rows>) rows.all_reduce_sum(std::span<V>(values));
}

}  // namespace gossip
