// Definitions of data/flipped_labels.hpp.
#pragma once

#include <gossip/data/flipped_labels.hpp>

#include <string>
#include <utility>

#include <gossip/core/error.hpp>
#include <gossip/core/inline.hpp>

namespace gossip {

GOSSIP_INLINE dataset flipped_labels(dataset const &set, partition const &shares,
                                     std::vector<node> const &attackers) {
  std::vector<std::uint16_t> labels(set.labels().begin(), set.labels().end());
  std::vector<bool> attacks(shares.nodes()), is_flipped(set.size());
  for (node const b : attackers) {
    if (b >= shares.nodes())
      throw input_error("flipped_labels", "nodes below " + std::to_string(shares.nodes()),
                        std::to_string(b));
    attacks[b] = true;
    for (std::uint32_t const sample : shares[b]) {
      labels[sample] = static_cast<std::uint16_t>(set.classes() - 1 - set.labels()[sample]);
      is_flipped[sample] = true;
    }
  }
  for (node i = 0; i < shares.nodes(); ++i)
    for (std::uint32_t const sample : shares[i])
      if (is_flipped[sample] && !attacks[i])
        throw input_error("flipped_labels", "a split that gives each sample to one node",
                          "sample " + std::to_string(sample) + " of an attacker and of node " +
                              std::to_string(i));
  return dataset(set).relabelled(std::move(labels));
}

}  // namespace gossip
