// Times at which owners would do what they do, had no outage held them up.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

#include <gossip/clock/message_network.hpp>
#include <gossip/core/error.hpp>
#include <gossip/core/node.hpp>

namespace gossip {

/// In rounds whose nodes go on without those who are down (after_outage): when each owner would be
/// free, and its model written, as far as that depends on nobody who is late; messages that are not
/// sent, and who waits for them in vain. Empty where nobody is excluded.
class due_times {
 public:
  static constexpr virtual_time never = virtual_time::max();

  /// patience: how long who waits for a message does so from when it is due.
  due_times() = default;
  due_times(std::size_t owners, virtual_time patience)
      : kept_(true), patience_(patience), free_(owners), written_(owners) {}

  bool kept() const { return kept_; }
  virtual_time free(node i) const { return free_[i]; }
  virtual_time written(node i) const { return written_[i]; }

  /// True where what was due then and is there at t is not too late.
  bool in_time(virtual_time due, virtual_time t) const { return t - due <= patience_; }
  /// The time until which it is waited for in vain; go_on: not at all.
  virtual_time given_up(virtual_time due) const {
    return patience_ > virtual_time(0) ? time_after(due, patience_) : virtual_time(0);
  }

  void work(node i, virtual_time takes) {
    if (kept_) [[unlikely]]
      free_[i] = time_after(free_[i], takes);
  }
  void wait_until(node i, virtual_time t) {
    if (kept_) [[unlikely]]
      free_[i] = std::max(free_[i], t);
  }
  void write(node i) {
    if (kept_) [[unlikely]]
      written_[i] = free_[i];
  }
  /// Owner i is as late as it is: that is the schedule from now on.
  void accept(node i, virtual_time free_at, virtual_time written_at) {
    free_[i] = free_at;
    written_[i] = written_at;
  }

  /// A message that is not sent in the mixture at hand.
  void miss(node from, node to) { missed_.insert(key(from, to)); }
  bool misses(node from, node to) const { return missed_.contains(key(from, to)); }
  bool misses_any() const { return !missed_.empty(); }
  void forget_missed() { missed_.clear(); }

  /// Node i waits in vain, once it waits at all.
  void owe(node i, virtual_time until) { owed_.emplace_back(i, until); }
  std::vector<std::pair<node, virtual_time>> take_owed() { return std::exchange(owed_, {}); }

 private:
  static std::uint64_t key(node from, node to) { return std::uint64_t{from} << 32 | to; }

  bool kept_ = false;
  virtual_time patience_{0};
  std::vector<virtual_time> free_, written_;         // (n + servers), or empty
  std::unordered_set<std::uint64_t> missed_;         // by sender and receiver
  std::vector<std::pair<node, virtual_time>> owed_;  // in the order of their messages
};

/// A node, or all, wait for another that never comes.
[[noreturn]] inline void refuse_wait(std::string const &who, node other) {
  throw error("clock: outages: " + who + " for node " + std::to_string(other) +
              ", which is down for good; expected then as time_out or go_on, where the exchange "
              "tolerates it");
}

}  // namespace gossip
