// Definitions of clock/fair_share.hpp.
#pragma once

#include <gossip/clock/fair_share.hpp>

#include <algorithm>
#include <utility>

#include <gossip/clock/whole_nanoseconds.hpp>
#include <gossip/core/error.hpp>
#include <gossip/core/inline.hpp>

namespace gossip {

GOSSIP_INLINE void fair_share::begin(virtual_time t, node from, node to, double bytes, double most,
                                     std::uint32_t item) {
  std::uint32_t const f = take();
  flow &one = flows_[f];
  one = {bytes, 0.0, most, t, never, serial_++, item, {2 * from, 2 * to + 1}};
  for (unsigned side : {0U, 1U}) link(f, side);
  one.at = static_cast<std::uint32_t>(heap_.size());
  heap_.push_back(f);
  now_ = t;
}

GOSSIP_INLINE std::uint32_t fair_share::take_ended() {
  std::uint32_t const f = heap_.front();
  now_ = flows_[f].end;
  leave_heap(f);
  for (unsigned side : {0U, 1U}) unlink(f, side);
  spare_.push_back(f);
  return flows_[f].item;
}

GOSSIP_INLINE std::uint32_t fair_share::take() {
  if (spare_.empty()) {
    flows_.emplace_back();
    return checked_index(flows_.size() - 1, "clock: messages on their way");
  }
  std::uint32_t const f = spare_.back();
  spare_.pop_back();
  return f;
}

GOSSIP_INLINE void fair_share::link(std::uint32_t f, unsigned side) {
  std::uint32_t const k = flows_[f].interface[side];
  std::uint32_t &first = interfaces_[k].first;
  flows_[f].next[side] = first;
  flows_[f].previous[side] = nothing;
  if (first != nothing) flows_[first].previous[side] = f;
  first = f;
  changed_.push_back(k);
}

GOSSIP_INLINE void fair_share::unlink(std::uint32_t f, unsigned side) {
  std::uint32_t const k = flows_[f].interface[side];
  std::uint32_t const next = flows_[f].next[side], previous = flows_[f].previous[side];
  (previous == nothing ? interfaces_[k].first : flows_[previous].next[side]) = next;
  if (next != nothing) flows_[next].previous[side] = previous;
  changed_.push_back(k);
}

GOSSIP_INLINE void fair_share::settle() {
  if (changed_.empty()) return;
  ++round_;
  for (std::uint32_t const k : std::exchange(changed_, {})) {
    if (interfaces_[k].seen == round_) continue;
    reach(k);
    fill();
    for (std::uint32_t const f : reached_) set_rate(f);
  }
}

GOSSIP_INLINE void fair_share::reach(std::uint32_t k) {
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

GOSSIP_INLINE void fair_share::fill() {
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

GOSSIP_INLINE void fair_share::set_rate(std::uint32_t f) {
  flow &one = flows_[f];
  if (one.fixed == one.rate) return;
  double const passed = static_cast<double>((now_ - one.since).count());
  one.left = std::max(0.0, one.left - one.rate * passed);
  one.since = now_;
  one.rate = one.fixed;
  virtual_time const takes = whole_nanoseconds(one.left / one.rate, "clock: transfer time");
  if (takes > never - now_) throw error("clock: the run takes more than 292 years of virtual time");
  one.end = now_ + takes;
  sift(f);
}

GOSSIP_INLINE void fair_share::sift(std::uint32_t f) {
  std::size_t at = flows_[f].at;
  for (; at > 0 && before(f, heap_[(at - 1) / 2]); at = (at - 1) / 2) put(at, heap_[(at - 1) / 2]);
  for (std::size_t child; (child = 2 * at + 1) < heap_.size(); at = child) {
    if (child + 1 < heap_.size() && before(heap_[child + 1], heap_[child])) ++child;
    if (!before(heap_[child], f)) break;
    put(at, heap_[child]);
  }
  put(at, f);
}

}  // namespace gossip
