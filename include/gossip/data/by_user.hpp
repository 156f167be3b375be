// The natural split: a node has the samples of a user, or of several. S. Caldas et al., "LEAF: a
// benchmark for federated settings", 2018.
#pragma once

#include <cstddef>
#include <cstdint>

#include <gossip/core/described.hpp>
#include <gossip/data/split.hpp>

namespace gossip {

/// Users in random order are dealt out to the nodes in turns, each with all of its samples. Throws
/// input_error for a set without users, or with fewer than nodes.
struct by_user {
  partition assign(dataset const &set, std::size_t nodes, std::uint64_t seed) const;

  static constexpr char const *name = "by_user";
  static constexpr char const *meaning =
      "a node has all samples of one or more users; for data sets with users";
  static constexpr member_list<> members() { return {}; }
};

static_assert(split_policy<by_user>);

}  // namespace gossip

#ifndef GOSSIP_COMPILED
#include <gossip/data/detail/by_user.ipp>
#endif
