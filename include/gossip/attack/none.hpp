// Attackers that do nothing wrong.
#pragma once

#include <cstddef>
#include <vector>

#include <gossip/attack/attack.hpp>
#include <gossip/core/described.hpp>
#include <gossip/core/node.hpp>

namespace gossip::attack {

/// No change: models are sent as they are.
struct none {
  static constexpr std::size_t rows = 0;

  void disturb(auto &, std::vector<node> const &, std::vector<node> const &) const {}
  static void check() {}

  static constexpr char const *name = "none";
  static constexpr char const *meaning = "attackers send their models unchanged";
  static constexpr member_list<> members() { return {}; }
};
static_assert(attack_model<none>);

}  // namespace gossip::attack
