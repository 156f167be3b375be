// Definitions of clock/timeline.hpp.
#pragma once

#include <gossip/clock/timeline.hpp>

#include <tuple>
#include <utility>

#include <gossip/core/inline.hpp>

namespace gossip {

GOSSIP_INLINE std::vector<timed_activity> timeline::take_activities() {
  auto const key = [](timed_activity const &a) {
    return std::tuple(a.begin, a.end, a.who, a.to, a.bytes);
  };
  std::sort(activities_.begin(), activities_.end(),
            [&](timed_activity const &a, timed_activity const &b) { return key(a) < key(b); });
  return std::exchange(activities_, {});
}

GOSSIP_INLINE void timeline::merge() {
  auto const key = [](edge_bytes const &e) { return std::uint64_t{e.from} << 32 | e.to; };
  std::sort(edges_.begin(), edges_.end(),
            [&](edge_bytes const &a, edge_bytes const &b) { return key(a) < key(b); });
  std::size_t count = 0;
  for (edge_bytes const &e : edges_)
    if (count > 0 && key(edges_[count - 1]) == key(e))
      edges_[count - 1].bytes += e.bytes;
    else
      edges_[count++] = e;
  edges_.resize(count);
}

}  // namespace gossip
