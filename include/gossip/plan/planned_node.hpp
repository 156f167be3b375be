// Planner's state of each node.
#pragma once

#include <cstdint>

namespace gossip {

struct planned_node {
  std::uint64_t trained = 0;   ///< gradients so far; the next one's number on the clock
  std::uint64_t stepped = 0;   ///< steps so far
  std::uint64_t draws = 0;     ///< random neighbours so far
  std::uint64_t chances = 0;   ///< random numbers of the exchange so far
  std::uint32_t repeated = 0;  ///< gradients on the batch of the one before
  bool refused = false;        ///< its last train came after the run had had its trainings, in
                               ///< events, or in a round in which it takes no part
  bool lost = false;           ///< it is down for good
  bool absorbed = false;       ///< its optimizer has a gradient that it has not stepped by
};

}  // namespace gossip
