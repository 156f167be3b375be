// The words every floor shares: a node of the network, a round, a point of virtual time.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>

#include <gossip/core/arithmetic.hpp>
#include <gossip/core/error.hpp>

namespace gossip {

/// One learner of the simulated network, counted from 0; not a process, not a machine.
using node = std::uint32_t;

/// Nodes that a network has at most.
inline constexpr node node_limit = std::numeric_limits<node>::max();

/// One synchronous iteration of all nodes, counted from 0.
using round_number = std::uint64_t;

/// Time on the simulated clock, integer nanoseconds since the start of the run; never wall time.
using virtual_time = std::chrono::nanoseconds;

/// The size as a stored 32-bit index; refuses in a sentence what does not fit.
inline std::uint32_t checked_index(std::size_t size, char const *what) {
  if (size > std::numeric_limits<std::uint32_t>::max())
    throw input_error(what, "at most 4294967295 entries", std::to_string(size));
  return static_cast<std::uint32_t>(size);
}

}  // namespace gossip
