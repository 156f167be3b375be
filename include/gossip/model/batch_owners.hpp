// The batches on which statistics of a model are measured anew.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <gossip/core/node.hpp>

namespace gossip {

/// The nodes on whose batches the statistics of a model are measured anew: the node itself, or,
/// where none is given, or a server, nodes spread over the network.
inline std::vector<node> owners_of_batches(std::size_t batches, std::size_t nodes,
                                           node const *own) {
  std::vector<node> owners(batches);
  for (std::size_t b = 0; b < batches; ++b)
    owners[b] = own && *own < nodes ? *own : static_cast<node>(b * nodes / batches);
  return owners;
}

/// Number of the b-th batch among the batches of its owner, from 0 on.
inline std::uint64_t times_before(std::span<node const> owners, std::size_t b) {
  return static_cast<std::uint64_t>(std::ranges::count(owners.first(b), owners[b]));
}

}  // namespace gossip
