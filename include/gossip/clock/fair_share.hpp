// Flows that share interfaces by max-min fairness. D. Bertsekas, R. Gallager, "Data networks",
// 2nd edition, 1992, section 6.5.2: rates grow together until an interface is full, which fixes
// those of its flows; the others go on growing.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include <gossip/clock/whole_nanoseconds.hpp>
#include <gossip/core/error.hpp>
#include <gossip/core/node.hpp>

namespace gossip {

/// The flows at one time, each from an interface that sends to one that receives. A change of some
/// flows concerns those that share an interface with them, directly or through others: only their
/// rates are computed anew. Calls come in the order of time.
class fair_share {
 public:
  static constexpr virtual_time never = virtual_time::max();

  /// rates: of what each owner sends, and receives, at most, (owners) in bytes a nanosecond.
  explicit fair_share(std::vector<double> const &rates) {
    for (double const rate : rates) interfaces_.insert(interfaces_.end(), 2, {rate});
  }

  /// A flow of so many bytes begins at t, at most at this rate; item: its name when it ends.
  void begin(virtual_time t, node from, node to, double bytes, double most, std::uint32_t item) {
    std::uint32_t const f = take();
    flow &one = flows_[f];
    one = {bytes, 0.0, most, t, never, serial_++, item, {2 * from, 2 * to + 1}};
    for (unsigned side : {0U, 1U}) link(f, side);
    one.at = static_cast<std::uint32_t>(heap_.size());
    heap_.push_back(f);
    now_ = t;
  }

  /// The time at which the next flows end, or never.
  virtual_time next() {
    settle();
    return heap_.empty() ? never : flows_[heap_.front()].end;
  }

  /// Whether a flow ends at t, as far as it was known at next().
  bool ends_by(virtual_time t) const { return !heap_.empty() && flows_[heap_.front()].end <= t; }

  /// Takes the first of the flows that end at next(); its item.
  std::uint32_t take_ended() {
    std::uint32_t const f = heap_.front();
    now_ = flows_[f].end;
    leave_heap(f);
    for (unsigned side : {0U, 1U}) unlink(f, side);
    spare_.push_back(f);
    return flows_[f].item;
  }

  /// The rate of the flow of an item now, in bytes a nanosecond; 0 where there is none.
  double rate(std::uint32_t item) {
    settle();
    for (std::uint32_t const f : heap_)
      if (flows_[f].item == item) return flows_[f].rate;
    return 0.0;
  }

 private:
  static constexpr std::uint32_t nothing = std::numeric_limits<std::uint32_t>::max();

  struct flow {
    double left, rate, most;  // bytes left at `since`, bytes a nanosecond
    virtual_time since, end;
    std::uint64_t serial;
    std::uint32_t item;
    std::uint32_t interface[2];                    // that sends, that receives
    std::uint32_t next[2] = {}, previous[2] = {};  // of those of the interface
    std::uint32_t at = 0;                          // in the heap
    std::uint64_t seen = 0;
    double fixed = -1.0;  // the rate that a filling has found
  };

  struct interface {
    double rate;
    std::uint32_t first = nothing;  // of its flows
    std::uint64_t seen = 0;
    double left = 0.0;          // of its rate, for flows that are not fixed
    std::uint32_t growing = 0;  // such flows
  };

  std::uint32_t take() {
    if (spare_.empty()) {
      flows_.emplace_back();
      return checked_index(flows_.size() - 1, "clock: messages on their way");
    }
    std::uint32_t const f = spare_.back();
    spare_.pop_back();
    return f;
  }

  void link(std::uint32_t f, unsigned side) {
    std::uint32_t const k = flows_[f].interface[side];
    std::uint32_t &first = interfaces_[k].first;
    flows_[f].next[side] = first;
    flows_[f].previous[side] = nothing;
    if (first != nothing) flows_[first].previous[side] = f;
    first = f;
    changed_.push_back(k);
  }

  void unlink(std::uint32_t f, unsigned side) {
    std::uint32_t const k = flows_[f].interface[side];
    std::uint32_t const next = flows_[f].next[side], previous = flows_[f].previous[side];
    (previous == nothing ? interfaces_[k].first : flows_[previous].next[side]) = next;
    if (next != nothing) flows_[next].previous[side] = previous;
    changed_.push_back(k);
  }

  /// New rates of all flows that the changes since the last call concern.
  void settle() {
    if (changed_.empty()) return;
    ++round_;
    for (std::uint32_t const k : std::exchange(changed_, {})) {
      if (interfaces_[k].seen == round_) continue;
      reach(k);
      fill();
      for (std::uint32_t const f : reached_) set_rate(f);
    }
  }

  /// The interfaces that share flows with interface k, directly or through others, and the flows.
  void reach(std::uint32_t k) {
    reached_.clear();
    shared_.assign(1, k);
    interfaces_[k].seen = round_;
    for (std::size_t s = 0; s < shared_.size(); ++s) {
      interface &one = interfaces_[shared_[s]];
      one.left = one.rate;
      one.growing = 0;
      unsigned const side = shared_[s] % 2;
      for (std::uint32_t f = one.first; f != nothing; f = flows_[f].next[side]) {
        ++one.growing;
        if (flows_[f].seen != round_) {
          flows_[f].seen = round_;
          flows_[f].fixed = -1.0;
          reached_.push_back(f);
        }
        std::uint32_t const other = flows_[f].interface[1 - side];
        if (interfaces_[other].seen == round_) continue;
        interfaces_[other].seen = round_;
        shared_.push_back(other);
      }
    }
  }

  /// Progressive filling of what reach found.
  void fill() {
    for (std::size_t growing = reached_.size(); growing > 0;) {
      double level = std::numeric_limits<double>::infinity();
      for (std::uint32_t const k : shared_)
        if (interfaces_[k].growing > 0) level = std::min(level, share(k));
      for (std::uint32_t const f : reached_)
        if (flows_[f].fixed < 0) level = std::min(level, flows_[f].most);
      full_.clear();
      for (std::uint32_t const f : reached_)
        if (flows_[f].fixed < 0 &&
            (flows_[f].most <= level || share(flows_[f].interface[0]) <= level ||
             share(flows_[f].interface[1]) <= level))
          full_.push_back(f);
      for (std::uint32_t const f : full_) {
        flows_[f].fixed = level;
        for (std::uint32_t const k : flows_[f].interface) {
          interfaces_[k].left = std::max(0.0, interfaces_[k].left - level);
          --interfaces_[k].growing;
        }
      }
      growing -= full_.size();
    }
  }

  double share(std::uint32_t k) const { return interfaces_[k].left / interfaces_[k].growing; }

  void set_rate(std::uint32_t f) {
    flow &one = flows_[f];
    if (one.fixed == one.rate) return;
    double const passed = static_cast<double>((now_ - one.since).count());
    one.left = std::max(0.0, one.left - one.rate * passed);
    one.since = now_;
    one.rate = one.fixed;
    virtual_time const takes = whole_nanoseconds(one.left / one.rate, "clock: transfer time");
    if (takes > never - now_)
      throw error("clock: the run takes more than 292 years of virtual time");
    one.end = now_ + takes;
    sift(f);
  }

  bool before(std::uint32_t a, std::uint32_t b) const {
    return flows_[a].end != flows_[b].end ? flows_[a].end < flows_[b].end
                                          : flows_[a].serial < flows_[b].serial;
  }
  void put(std::size_t at, std::uint32_t f) {
    heap_[at] = f;
    flows_[f].at = static_cast<std::uint32_t>(at);
  }

  /// Moves a flow, whose end is another now, to its place in the heap.
  void sift(std::uint32_t f) {
    std::size_t at = flows_[f].at;
    for (; at > 0 && before(f, heap_[(at - 1) / 2]); at = (at - 1) / 2)
      put(at, heap_[(at - 1) / 2]);
    for (std::size_t child; (child = 2 * at + 1) < heap_.size(); at = child) {
      if (child + 1 < heap_.size() && before(heap_[child + 1], heap_[child])) ++child;
      if (!before(heap_[child], f)) break;
      put(at, heap_[child]);
    }
    put(at, f);
  }

  void leave_heap(std::uint32_t f) {
    std::uint32_t const last = heap_.back();
    std::size_t const at = flows_[f].at;
    heap_.pop_back();
    if (last == f) return;
    put(at, last);
    sift(last);
  }

  std::vector<interface>
      interfaces_;  // (2 owners), of each the one that sends, the one that receives
  std::vector<flow> flows_;
  std::vector<std::uint32_t> spare_, heap_, changed_, reached_, shared_, full_;
  std::uint64_t serial_ = 0, round_ = 0;
  virtual_time now_{0};
};

}  // namespace gossip
