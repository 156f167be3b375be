// The owners whose whole rows leases will name, in order: which of them is needed last.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <gossip/core/node.hpp>

namespace gossip {

/// Next uses of owners by the plan of a window. What is behind the window is taken to begin as the
/// window did.
class planned_leases {
 public:
  /// owners: of a fleet, with borrowed rows.
  explicit planned_leases(std::size_t owners) : first_(owners, none), next_(owners, none) {}

  /// A window begins, whose leases name these owners, in this order.
  void begin(std::span<node const> order) {
    length_ = order.size();
    now_ = 0;
    std::ranges::fill(next_, none);
    after_.resize(length_);
    for (std::size_t p = length_; p-- > 0;) {
      after_[p] = next_[order[p]];
      next_[order[p]] = p;
    }
    first_ = next_;
  }

  /// A lease names an owner; the order comes up to there.
  void use(node owner) {
    if (std::size_t &next = next_[owner]; next != none) {
      now_ = std::max(now_, next);
      next = after_[next];
    }
  }

  /// The place of an owner's next use in the order; greater ones are needed later.
  std::size_t next_use(node owner) {
    std::size_t &next = next_[owner];
    while (next != none && next < now_) next = after_[next];
    if (next != none) return next;
    return first_[owner] == none ? none : length_ + first_[owner];
  }

 private:
  static constexpr std::size_t none = static_cast<std::size_t>(-1);

  std::vector<std::size_t> first_, next_;  // (owners) uses, or none
  std::vector<std::size_t> after_;         // (uses) the next one of the same owner, or none
  std::size_t length_ = 0, now_ = 0;
};

}  // namespace gossip
