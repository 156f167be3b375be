// Definitions of clock/activity_graph.hpp.
#pragma once

#include <gossip/clock/activity_graph.hpp>

#include <utility>

#include <gossip/core/inline.hpp>

namespace gossip {

GOSSIP_INLINE std::uint32_t activity_graph::make(kind what) {
  if (spare_.empty()) {
    records_.emplace_back();
    spare_.push_back(checked_index(records_.size() - 1, "clock: activities"));
  }
  std::uint32_t const a = spare_.back();
  spare_.pop_back();
  std::uint32_t const generation = records_[a].generation;
  records_[a] = {};
  records_[a].what = what;
  records_[a].generation = generation;
  return a;
}

GOSSIP_INLINE std::uint32_t activity_graph::make(kind what, node from, node to,
                                                 transmission const &sent) {
  std::uint32_t const a = make(what);
  record &one = records_[a];
  one.from = from;
  one.to = to;
  one.bytes = sent.bytes;
  one.tries = sent.tries;
  one.waits = sent.waits;
  return a;
}

GOSSIP_INLINE void activity_graph::await(std::uint32_t a, activity first) {
  if (over(first)) return;
  ++records_[a].open;
  if (spare_waits_.empty()) {
    spare_waits_.push_back(checked_index(waits_.size(), "clock: activities that wait"));
    waits_.emplace_back();
  }
  std::uint32_t const w = spare_waits_.back();
  spare_waits_.pop_back();
  waits_[w] = {a, std::exchange(records_[first.index].waiting, w)};
}

GOSSIP_INLINE activity activity_graph::joined(std::span<activity const> all, std::uint32_t number) {
  activity only;
  bool several = false;
  for (activity const &one : all) {
    if (over(one) || one.index == only.index) continue;
    several |= only.index != nothing;
    only = one;
  }
  if (only.index == nothing || (!several && number == nothing)) return only;
  std::uint32_t const a = make(kind::join);
  records_[a].told = number;
  activity before;
  for (activity const &one : all) {
    if (over(one) || one.index == before.index) continue;
    await(a, one);
    before = one;
  }
  return handle(a);
}

}  // namespace gossip
