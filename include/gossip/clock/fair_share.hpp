// Flows that share interfaces by max-min fairness. D. Bertsekas, R. Gallager, "Data networks",
// 2nd edition, 1992, section 6.5.2: rates grow together until an interface is full, which fixes
// those of its flows; the others go on growing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

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
  void begin(virtual_time t, node from, node to, double bytes, double most, std::uint32_t item);

  /// The time at which the next flows end, or never.
  virtual_time next() {
    settle();
    return heap_.empty() ? never : flows_[heap_.front()].end;
  }

  /// Whether a flow ends at t, as far as it was known at next().
  bool ends_by(virtual_time t) const { return !heap_.empty() && flows_[heap_.front()].end <= t; }

  /// Takes the first of the flows that end at next(); its item.
  std::uint32_t take_ended();

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

  std::uint32_t take();

  void link(std::uint32_t f, unsigned side);

  void unlink(std::uint32_t f, unsigned side);

  /// New rates of all flows that the changes since the last call concern.
  void settle();

  /// The interfaces that share flows with interface k, directly or through others, and the flows.
  void reach(std::uint32_t k);

  /// Progressive filling of what reach found.
  void fill();

  double share(std::uint32_t k) const { return interfaces_[k].left / interfaces_[k].growing; }

  void set_rate(std::uint32_t f);

  bool before(std::uint32_t a, std::uint32_t b) const {
    return flows_[a].end != flows_[b].end ? flows_[a].end < flows_[b].end
                                          : flows_[a].serial < flows_[b].serial;
  }
  void put(std::size_t at, std::uint32_t f) {
    heap_[at] = f;
    flows_[f].at = static_cast<std::uint32_t>(at);
  }

  /// Moves a flow, whose end is another now, to its place in the heap.
  void sift(std::uint32_t f);

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

#ifndef GOSSIP_COMPILED
#include <gossip/clock/detail/fair_share.ipp>
#endif
