// Sorted by label and cut in equal parts: a node sees one class, or two. H. Tang, X. Lian, M. Yan,
// C. Zhang, J. Liu, "D2: decentralized training over decentralized data", ICML 2018, section 6: the
// unshuffled case.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include <gossip/core/described.hpp>
#include <gossip/data/split.hpp>

namespace gossip {

/// Classes in ascending order, the samples of each in random order, in parts whose sizes differ by
/// one at most: node 0 has the first.
struct sorted_labels {
  partition assign(std::span<std::uint16_t const> labels, std::size_t classes, std::size_t nodes,
                   std::uint64_t seed) const;

  static constexpr char const *name = "sorted_labels";
  static constexpr char const *meaning = "samples sorted by class, cut into equal parts";
  static constexpr member_list<> members() { return {}; }
};

static_assert(split_policy<sorted_labels>);

}  // namespace gossip

#ifndef GOSSIP_COMPILED
#include <gossip/data/detail/sorted_labels.ipp>
#endif
