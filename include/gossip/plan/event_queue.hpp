// The queue of the virtual clock: events in the total order (time, kind, node, sequence).
#pragma once

#include <cstddef>
#include <cstdint>
#include <tuple>
#include <vector>

#include <gossip/core/node.hpp>

namespace gossip {

/// The kinds of events; events of equal time come in this order.
enum class event_kind : std::uint8_t { trained, message, timer, late_timer };

/// An event of node `who`. number: of a message on its way, or the tag of a timer.
struct event {
  virtual_time time{0};
  std::uint64_t place = 0;  // kind and node
  std::uint64_t sequence = 0;
  std::uint32_t number = 0;

  static constexpr std::uint64_t place_of(event_kind kind, node who) {
    return std::uint64_t{static_cast<std::uint8_t>(kind)} << 32 | who;
  }
  constexpr event_kind kind() const { return static_cast<event_kind>(place >> 32); }
  constexpr node who() const { return static_cast<node>(place); }

  friend constexpr bool operator<(event const &a, event const &b) {
    return std::tie(a.time, a.place, a.sequence) < std::tie(b.time, b.place, b.sequence);
  }
};

/// A binary heap whose first event can be replaced in one pass.
class event_queue {
 public:
  bool empty() const { return heap_.empty(); }
  event const &first() const { return heap_.front(); }

  void push(event e) {
    heap_.push_back(e);
    std::size_t at = heap_.size() - 1;
    for (; at > 0 && e < heap_[(at - 1) / 2]; at = (at - 1) / 2) heap_[at] = heap_[(at - 1) / 2];
    heap_[at] = e;
  }

  void pop() {
    event const last = heap_.back();
    heap_.pop_back();
    if (!heap_.empty()) replace_first(last);
  }

  void replace_first(event e) {
    std::size_t at = 0;
    for (std::size_t child; (child = 2 * at + 1) < heap_.size(); at = child) {
      if (child + 1 < heap_.size() && heap_[child + 1] < heap_[child]) ++child;
      if (!(heap_[child] < e)) break;
      heap_[at] = heap_[child];
    }
    heap_[at] = e;
  }

 private:
  std::vector<event> heap_;
};

}  // namespace gossip
