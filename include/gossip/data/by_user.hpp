// The natural split: a node has the samples of a user, or of several. S. Caldas et al., "LEAF: a
// benchmark for federated settings", 2018.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <string>
#include <vector>

#include <gossip/core/described.hpp>
#include <gossip/core/error.hpp>
#include <gossip/data/split.hpp>

namespace gossip {

/// Users in random order are dealt out to the nodes in turns, each with all of its samples. Throws
/// input_error for a set without users, or with fewer than nodes.
struct by_user {
  partition assign(dataset const &set, std::size_t nodes, std::uint64_t seed) const {
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

  static constexpr char const *name = "by_user";
  static constexpr char const *meaning =
      "a node has all samples of one or more users; for data sets with users";
  static constexpr member_list<> members() { return {}; }
};

static_assert(split_policy<by_user>);

}  // namespace gossip
