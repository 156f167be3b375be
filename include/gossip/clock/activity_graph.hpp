// Activities, and those that each of them waits for.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <vector>

#include <gossip/clock/message_loss.hpp>
#include <gossip/core/node.hpp>

namespace gossip {

/// An activity of an activity_clock; one that is over, or none, counts as ended.
struct activity {
  std::uint32_t index = std::numeric_limits<std::uint32_t>::max(), generation = 0;
};

/// The end of something that a planner waits for.
struct ended_activity {
  enum class kind : std::uint8_t { computation, message, mark, lost } what;
  std::uint32_t number;  // of the owner, of the message, of the mark; lost: of the owner that
                         // never ends a computation
};

/// Activities by the times at which they end, and then in the order in which that was known.
class timed_ends {
 public:
  virtual_time next() const { return heap_.empty() ? virtual_time::max() : heap_.front().end; }

  void push(std::uint32_t which, virtual_time end) {
    heap_.push_back({end, serial_++, which});
    std::push_heap(heap_.begin(), heap_.end(), std::greater{});
  }
  std::uint32_t pop() {
    std::pop_heap(heap_.begin(), heap_.end(), std::greater{});
    std::uint32_t const which = heap_.back().which;
    heap_.pop_back();
    return which;
  }

 private:
  struct timed {
    virtual_time end;
    std::uint64_t serial;
    std::uint32_t which;
    friend bool operator>(timed const &a, timed const &b) {
      return a.end != b.end ? a.end > b.end : a.serial > b.serial;
    }
  };

  std::vector<timed> heap_;
  std::uint64_t serial_ = 0;
};

/// The activities that have not ended, by the places that they are kept in.
class activity_graph {
 public:
  static constexpr std::uint32_t nothing = std::numeric_limits<std::uint32_t>::max();

  enum class kind : std::uint8_t { join, wait, computation, message, exchange };

  struct record {
    kind what{};
    bool free = false;  // its messages take no time
    std::uint32_t generation = 0;
    std::uint32_t open = 0;           // activities that it waits for
    std::uint32_t parts = 1;          // of it that have not ended
    std::uint32_t tries = 1;          // latencies of a message
    std::uint32_t lasts = 0;          // nodes whose last activity it is
    std::uint32_t waiting = nothing;  // the last of those that wait for it
    std::uint32_t told = nothing;     // number that its end is told by
    node from = 0, to = 0;
    std::uint64_t bytes = 0;  // or the step of a computation
    virtual_time until{0};    // of a wait or a computation; when a message began
    virtual_time waits{0};    // of a message, between its tries
  };

  record &operator[](std::uint32_t a) { return records_[a]; }
  record &operator[](activity a) { return records_[a.index]; }

  bool over(activity a) const {
    return a.index == nothing || records_[a.index].generation != a.generation;
  }
  activity handle(std::uint32_t a) const { return {a, records_[a].generation}; }
  std::size_t size() const { return records_.size() - spare_.size(); }

  std::uint32_t make(kind what);

  /// A message, or an exchange.
  std::uint32_t make(kind what, node from, node to, transmission const &sent);

  /// Activity a begins after another.
  void await(std::uint32_t a, activity first);

  /// The end of all of them: told, if it has a number and is not there yet.
  activity joined(std::span<activity const> all, std::uint32_t number = nothing);

  /// Activity a is over; begin(b): of each that waited for it alone, in the order of waiting.
  template <class Begin>
  void end(std::uint32_t a, Begin begin) {
    ++records_[a].generation;
    spare_.push_back(a);
    for (std::uint32_t w = records_[a].waiting; w != nothing; w = waits_[w].next) {
      spare_waits_.push_back(w);
      released_.push_back(waits_[w].who);
    }
    for (; !released_.empty(); released_.pop_back())
      if (--records_[released_.back()].open == 0) begin(released_.back());
  }

 private:
  struct wait {
    std::uint32_t who, next;
  };

  std::vector<record> records_;
  std::vector<wait> waits_;
  std::vector<std::uint32_t> spare_, spare_waits_, released_;
};

}  // namespace gossip

#ifndef GOSSIP_COMPILED
#include <gossip/clock/detail/activity_graph.ipp>
#endif
