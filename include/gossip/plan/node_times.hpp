// Where every node stands on the virtual clock.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <gossip/clock/virtual_clock.hpp>
#include <gossip/core/error.hpp>
#include <gossip/core/node.hpp>
#include <gossip/graph/mixing_matrix.hpp>

namespace gossip {

/// When each node can begin something, and since when its model is as it is.
template <class Compute>
class node_times {
 public:
  node_times(virtual_clock<Compute> const &clock, std::size_t nodes)
      : clock_(clock, nodes),
        free_at_(nodes, virtual_time{0}),
        written_at_(nodes, virtual_time{0}),
        arrived_at_(nodes) {}

  /// Node i computes; returns when it will have finished.
  virtual_time train(std::uint64_t seed, node i, std::uint64_t step) {
    return free_at_[i] = later(free_at_[i], clock_.compute_time(seed, i, step));
  }

  /// Node i takes up its work again at t.
  void resume(node i, virtual_time t) { free_at_[i] = t; }

  /// Node i has written its model now.
  void write(node i) { written_at_[i] = free_at_[i]; }

  /// Node i waits for a message of this size.
  void transfer(node i, std::size_t bytes) {
    free_at_[i] = later(free_at_[i], clock_.transfer_time(bytes));
  }

  /// Every node waits until the models of those it listens to have been written and sent: one
  /// latency and its own number of messages after the last of them, or after the last of all.
  /// Returns how many messages that were.
  std::size_t mix(mixing_matrix const &w, std::size_t message_bytes, bool global_barrier) {
    auto const last = *std::max_element(written_at_.begin(), written_at_.end());
    std::size_t all = 0;
    for (node i = 0; i < free_at_.size(); ++i) {
      auto const columns = w.row(i).columns;
      virtual_time sent{0};
      for (node j : columns) sent = std::max(sent, global_barrier ? last : written_at_[j]);
      std::size_t const messages = columns.size() - 1;
      if (messages > 0) sent = later(sent, clock_.transfer_time(messages * message_bytes));
      all += messages;
      arrived_at_[i] = std::max(free_at_[i], sent);
    }
    written_at_ = free_at_ = arrived_at_;
    if (global_barrier) wait_for_all();
    return all;
  }

  /// A ring all-reduce: everybody waits for the last, then 2 (n - 1) latencies and the time that
  /// `sent_bytes` take, which each node sends in that many parts.
  void reduce(std::size_t sent_bytes) {
    wait_for_all();
    std::size_t const n = free_at_.size();
    if (n > 1) {
      auto const time = (2 * n - 3) * clock_.transfer_time(0) + clock_.transfer_time(sent_bytes);
      for (virtual_time &t : free_at_) t = later(t, time);
    }
    written_at_ = free_at_;
  }

  /// When the last node is free.
  virtual_time latest() const { return *std::max_element(free_at_.begin(), free_at_.end()); }

 private:
  static virtual_time later(virtual_time t, virtual_time by) {
    if (by > virtual_time::max() - t)
      throw error("clock: the run takes more than 292 years of virtual time");
    return t + by;
  }

  void wait_for_all() { std::fill(free_at_.begin(), free_at_.end(), latest()); }

  node_clock<Compute> clock_;
  std::vector<virtual_time> free_at_;     // (n)
  std::vector<virtual_time> written_at_;  // (n)
  std::vector<virtual_time> arrived_at_;  // (n)
};

}  // namespace gossip
