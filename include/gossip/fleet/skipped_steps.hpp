// Steps that a run left out because their gradients overflowed, which is not to go unnoticed.
#pragma once

#include <cstddef>
#include <cstdint>

#include <gossip/core/node.hpp>

namespace gossip {

/// Of a run whose loss is scaled (mixed_precision<fp16>).
struct skipped_steps {
  std::uint64_t steps = 0;  ///< of all nodes
  std::size_t nodes = 0;    ///< number of nodes that left out any
  node worst = 0;           ///< the one that left out most, the first of equals ...
  std::uint64_t most = 0;   ///< ... and how many
  double smallest_scale = 0, largest_scale = 0;  ///< of the nodes' losses at the end
};

}  // namespace gossip
