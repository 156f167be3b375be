// Label flips: attackers train on samples with wrong labels. V. Tolpegin, S. Truex, M. E. Gursoy,
// L. Liu, "Data poisoning attacks against federated learning systems", ESORICS 2020; all classes at
// once as S. P. Karimireddy, L. He, M. Jaggi, "Learning from history for Byzantine robust
// optimization", ICML 2021, section 6.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <gossip/core/node.hpp>
#include <gossip/data/dataset.hpp>
#include <gossip/data/sample_assignment.hpp>
#include <gossip/data/split.hpp>

namespace gossip {

/// A partition that has been made, as a split policy for as many nodes as it has.
struct given_partition {
  partition shares;

  partition assign(std::span<std::uint16_t const>, std::size_t, std::size_t, std::uint64_t) const {
    return shares;
  }
};

/// The set in which a sample of label y that a node of `attackers` has is of label
/// classes - 1 - y; all other samples are as they were. Features are shared, not copied. Throws
/// input_error for a node without a share, and for a sample that an attacker shares with a node
/// that is none, for which it would be wrong too; splits of the library without replacement have
/// none.
///
///   partition const shares = iid{}.assign(train.labels(), train.classes(), n, 1);
///   dataset const poisoned = flipped_labels(train, shares, {n - 2, n - 1});
///   network.run(settings, split(poisoned, given_partition{shares}));
dataset flipped_labels(dataset const &set, partition const &shares,
                       std::vector<node> const &attackers);

}  // namespace gossip

#ifndef GOSSIP_COMPILED
#include <gossip/data/detail/flipped_labels.ipp>
#endif
