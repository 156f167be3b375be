// The owners whose whole rows leases will name, in order: which of them is needed last.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <gossip/core/node.hpp>

namespace gossip {

/// Next uses of owners by the plan of a window. What is behind the window is taken to begin as the
/// window did. Leases need not come in that order: a rank trains whom it can, an owner's use that
/// does not come is passed over a quarter of the window later.
class planned_leases {
 public:
  /// owners: of a fleet, with borrowed rows.
  explicit planned_leases(std::size_t owners) : first_(owners, none), next_(owners, none) {}

  /// Bytes of a window and of the list that it begins with, about; here: of the owners, those that
  /// leases name.
  static constexpr std::size_t bytes(std::size_t owners, std::size_t here) {
    constexpr std::size_t uses = 16;  // of an owner: four trainings, and of each partner
    return 2 * owners * sizeof(place) + here * uses * (sizeof(place) + 2 * sizeof(node));
  }

  /// A window begins, whose leases name these owners, in this order.
  void begin(std::span<node const> order);

  /// A lease of the plan names an owner.
  void use(node owner) {
    if (place &next = next_[owner]; next != none) {
      ++used_;
      next = after_[next];
    }
  }

  /// The place of an owner's next use in the order; greater ones are needed later.
  std::size_t next_use(node owner);

 private:
  using place = std::uint32_t;  // in the order
  static constexpr place none = static_cast<place>(-1);
  static constexpr std::size_t never = static_cast<std::size_t>(-1);

  std::vector<place> first_, next_;  // (owners) uses, or none
  std::vector<place> after_;         // (uses) the next one of the same owner, or none
  place length_ = 0, used_ = 0;
};

}  // namespace gossip

#ifndef GOSSIP_COMPILED
#include <gossip/fleet/detail/planned_leases.ipp>
#endif
