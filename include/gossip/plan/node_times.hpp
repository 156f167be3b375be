// Virtual time of every node.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <gossip/clock/clock.hpp>
#include <gossip/core/error.hpp>
#include <gossip/core/node.hpp>
#include <gossip/mixing/matrix.hpp>

namespace gossip {

/// The time from which each node can begin something, and the time of its model's last change.
template <class Compute>
class node_times {
 public:
  node_times(virtual_clock<Compute> const &clock, std::size_t nodes, std::size_t servers = 0)
      : clock_(clock, nodes),
        nodes_(nodes),
        free_at_(nodes + servers, virtual_time{0}),
        written_at_(nodes + servers, virtual_time{0}),
        arrived_at_(nodes) {}

  /// Node i computes; returns when it will have finished.
  virtual_time train(std::uint64_t seed, node i, std::uint64_t step) {
    return free_at_[i] = later(free_at_[i], clock_.compute_time(seed, i, step));
  }

  /// Node i takes up its work again at t.
  void resume(node i, virtual_time t) { free_at_[i] = t; }

  /// The time from which node i can begin something.
  virtual_time free_at(node i) const { return free_at_[i]; }
  /// Node i cannot begin anything before t.
  void wait_until(node i, virtual_time t) { free_at_[i] = std::max(free_at_[i], t); }
  /// Arrival time of a message of this size that leaves at t.
  virtual_time arrival(virtual_time t, std::size_t bytes) const {
    return later(t, clock_.transfer_time(bytes));
  }
  static virtual_time after(virtual_time t, virtual_time by) { return later(t, by); }

  /// Node i has written its model now.
  void write(node i) { written_at_[i] = free_at_[i]; }

  /// Node i waits for a message of this size.
  void transfer(node i, std::size_t bytes) {
    free_at_[i] = later(free_at_[i], clock_.transfer_time(bytes));
  }

  /// Mixtures: pairs of weights and the bytes of a message, which are as many as entries off the
  /// diagonal. Every node waits until the models of those it listens to, in any of them, have been
  /// written and sent: one latency and its own messages after the last of them, or after the last
  /// of all. Returns the bytes of all messages.
  template <class Mixtures>
  std::uint64_t mix(Mixtures const &mixtures, bool global_barrier) {
    auto const nodes = static_cast<std::ptrdiff_t>(nodes_);
    auto const last = *std::max_element(written_at_.begin(), written_at_.begin() + nodes);
    std::uint64_t all = 0;
    for (node i = 0; i < nodes_; ++i) {
      virtual_time sent{0};
      std::size_t messages = 0, bytes = 0;
      for (auto const &[w, message_bytes] : mixtures) {
        auto const columns = w->row(i).columns;
        for (node j : columns) sent = std::max(sent, global_barrier ? last : written_at_[j]);
        messages += columns.size() - 1;
        bytes += (columns.size() - 1) * message_bytes;
      }
      if (messages > 0) sent = later(sent, clock_.transfer_time(bytes));
      all += bytes;
      arrived_at_[i] = std::max(free_at_[i], sent);
    }
    std::copy(arrived_at_.begin(), arrived_at_.end(), free_at_.begin());
    std::copy(arrived_at_.begin(), arrived_at_.end(), written_at_.begin());
    if (global_barrier) wait_for_all();
    return all;
  }

  /// A ring all-reduce: everybody waits for the last, then 2 (n - 1) latencies and the time that
  /// `sent_bytes` take, which each node sends in that many parts.
  void reduce(std::size_t sent_bytes) { ring(2 * nodes_ - 2, sent_bytes); }

  /// The same of a ring of so many turns, in which every node sends so many bytes.
  void ring(std::size_t turns, std::size_t sent_bytes) {
    std::size_t const n = nodes_;
    auto const end = free_at_.begin() + static_cast<std::ptrdiff_t>(n);  // of nodes, not servers
    virtual_time done = *std::max_element(free_at_.begin(), end);
    if (n > 1)
      done = later(done, (turns - 1) * clock_.transfer_time(0) + clock_.transfer_time(sent_bytes));
    std::fill(free_at_.begin(), end, done);
    std::copy(free_at_.begin(), end, written_at_.begin());
  }

  /// The time at which the last node is free.
  virtual_time latest() const { return *std::max_element(free_at_.begin(), free_at_.end()); }

 private:
  static virtual_time later(virtual_time t, virtual_time by) {
    if (by > virtual_time::max() - t)
      throw error("clock: the run takes more than 292 years of virtual time");
    return t + by;
  }

  void wait_for_all() { std::fill(free_at_.begin(), free_at_.end(), latest()); }

  node_clock<Compute> clock_;
  std::size_t nodes_;
  std::vector<virtual_time> free_at_;     // (n + servers)
  std::vector<virtual_time> written_at_;  // (n + servers)
  std::vector<virtual_time> arrived_at_;  // (n)
};

}  // namespace gossip
