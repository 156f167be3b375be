// Definitions of clock/machine_speeds.hpp.
#pragma once

#include <gossip/clock/machine_speeds.hpp>

#include <algorithm>
#include <cmath>

#include <gossip/core/inline.hpp>
#include <gossip/core/number_text.hpp>

namespace gossip {

GOSSIP_INLINE machine_speeds::machine_speeds(std::vector<slow_node> slow, std::size_t nodes) {
  if (slow.empty()) return;
  for (slow_node const &one : slow) check(one, nodes);
  std::sort(slow.begin(), slow.end(), [](slow_node const &a, slow_node const &b) {
    return a.which != b.which ? a.which < b.which : a.from < b.from;
  });
  auto next = slow.begin();
  for (std::size_t i = 0; i < nodes; ++i) {
    first_.push_back(pieces_.size());
    virtual_time at{0};
    for (; next != slow.end() && next->which == i; at = (next++)->until) {
      if (next->from < at)
        refuse(*next, "one factor of a node at a time", "two at " + text(next->from));
      if (next->from > at) pieces_.push_back({next->from, normal});
      pieces_.push_back({next->until, next->factor});
    }
    if (at < virtual_time::max()) pieces_.push_back({virtual_time::max(), normal});
  }
}

GOSSIP_INLINE virtual_time machine_speeds::stretched(virtual_time usual, node i,
                                                     virtual_time begin) const {
  std::size_t const end = i + 1 < first_.size() ? first_[i + 1] : pieces_.size();
  auto now = std::upper_bound(at(first_[i]), at(end) - 1, begin,
                              [](virtual_time t, piece const &p) { return t < p.until; });
  if (now->factor == normal && usual <= now->until - begin) return usual;
  double left = static_cast<double>(usual.count()), passed = 0.0;
  for (; now->until != virtual_time::max(); ++now) {
    double const until = static_cast<double>((now->until - begin).count());
    double const needed = left * now->factor;
    if (passed + needed <= until) break;
    left -= (until - passed) / now->factor;
    passed = until;
  }
  return std::max(virtual_time(1),
                  whole_nanoseconds(passed + left * now->factor, "clock: compute time"));
}

GOSSIP_INLINE void machine_speeds::check(slow_node const &slow, std::size_t nodes) {
  if (slow.which >= nodes)
    refuse(slow, "a node below " + std::to_string(nodes), std::to_string(slow.which));
  if (!(slow.factor > 0.0) || !std::isfinite(slow.factor))
    refuse(slow, "a factor above 0", detail::shortest(slow.factor));
  if (slow.from < virtual_time(0) || slow.until <= slow.from)
    refuse(slow, "a time of at least 0ns and a later time",
           text(slow.from) + " and " + text(slow.until));
}

}  // namespace gossip
