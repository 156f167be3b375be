// Definitions of data/by_user.hpp.
#pragma once

#include <gossip/data/by_user.hpp>

#include <algorithm>
#include <numeric>
#include <string>
#include <vector>

#include <gossip/core/error.hpp>
#include <gossip/core/inline.hpp>

namespace gossip {

GOSSIP_INLINE partition by_user::assign(dataset const &set, std::size_t nodes,
                                        std::uint64_t seed) const {
  detail::check_enough_samples("by_user", set.size(), nodes);
  if (set.users().empty())
    throw input_error("by_user", "a data set with users, as LEAF's data sets have", set.name());
  std::vector<std::uint32_t> users(set.users().begin(), set.users().end());
  std::ranges::sort(users);
  users.erase(std::unique(users.begin(), users.end()), users.end());
  if (users.size() < nodes)
    throw input_error("by_user", "a user for each of " + std::to_string(nodes) + " nodes",
                      std::to_string(users.size()) + " users");
  std::vector<std::uint32_t> turn(users.size());  // place in the order, of each user
  std::iota(turn.begin(), turn.end(), 0U);
  keyed_random random(seed, purpose::partition, 0, 0);
  detail::shuffle(turn, random);
  std::vector<node> owner;
  owner.reserve(set.size());
  for (std::uint32_t const user : set.users()) {
    auto const place = std::ranges::lower_bound(users, user) - users.begin();
    owner.push_back(static_cast<node>(turn[static_cast<std::size_t>(place)] % nodes));
  }
  return group_by<node>(owner, nodes);
}

}  // namespace gossip
