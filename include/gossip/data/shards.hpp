// Sorted by label and dealt out in shards: every node sees a few classes only.
// B. McMahan, E. Moore, D. Ramage, S. Hampson, B. Aguera y Arcas, "Communication-efficient learning
// of deep networks from decentralized data", AISTATS 2017, section 3.
#pragma once

#include <gossip/core/described.hpp>
#include <gossip/data/split.hpp>

namespace gossip {

/// Samples sorted by label, cut in nodes * per_node shards of equal size (within one sample); each
/// node gets per_node of them at random.
struct shards {
  std::size_t per_node = 2;

  partition assign(std::span<std::uint16_t const> labels, std::size_t classes, std::size_t nodes,
                   std::uint64_t seed) const;

  static constexpr char const *name = "shards";
  static constexpr char const *meaning =
      "samples sorted by class, cut into shards that are dealt out to nodes";
  static constexpr auto members() {
    return member_list{described("per_node", &shards::per_node, "number of shards of a node",
                                 {.least = 1, .most = node_limit})};
  }

 private:
  std::size_t check(std::size_t samples, std::size_t nodes) const;
};

static_assert(split_policy<shards>);

}  // namespace gossip

#ifndef GOSSIP_COMPILED
#include <gossip/data/detail/shards.ipp>
#endif
