// What a planner keeps of each node.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>

namespace gossip {

struct planned_node {
  static constexpr std::size_t nowhere = std::numeric_limits<std::size_t>::max();

  std::size_t training = nowhere;  ///< its train in this window, if nothing touched the node since
  std::uint64_t trained = 0;       ///< gradients so far
  std::uint64_t stepped = 0;       ///< steps so far
  std::uint64_t draws = 0;         ///< random neighbours so far
  std::uint64_t chances = 0;       ///< random numbers of the exchange so far
  bool refused = false;            ///< its last train came after the run had had its trainings
  bool absorbed = false;           ///< its optimizer has a gradient that it has not stepped by
};

}  // namespace gossip
