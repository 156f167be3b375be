// Memory of a run beside rows and workspace, in bytes.
#pragma once

#include <cstddef>

#include <gossip/clock/next_times.hpp>
#include <gossip/core/node.hpp>
#include <gossip/engine/row_rounding.hpp>
#include <gossip/fleet/fleet.hpp>
#include <gossip/plan/operation.hpp>
#include <gossip/plan/operation_needs.hpp>
#include <gossip/plan/window.hpp>

namespace gossip::detail {

/// As AD-PSGD has them.
inline constexpr std::size_t operations_of_a_training = 3;

/// Two windows, each with its stream and its levels, the next times of nodes, and the weights of
/// the edges.
constexpr std::size_t plan_bytes(std::size_t nodes, std::size_t edges, std::size_t element) {
  return 2 * 2 * trainings_of_window(nodes) * operations_of_a_training * sizeof(operation) +
         nodes * (64 + sizeof(next_durations)) +
         edges * 2 * (sizeof(node) + sizeof(double) + element);
}

/// One window of those operations on a device, with room for twice as many; of each what steps and
/// writers share.
constexpr std::size_t device_plan_bytes(std::size_t nodes, bool rounds) {
  std::size_t const shared = 16 + (rounds ? 2 * sizeof(row_write) : 0);
  return 2 * trainings_of_window(nodes) * operations_of_a_training * (sizeof(operation) + shared);
}

/// Matrices that windows have for themselves, in two windows, and with weights cast once; and one
/// that is being made.
constexpr std::size_t matrix_bytes(std::size_t nodes, operation_needs const &needs,
                                   std::size_t element) {
  if (needs.matrices == 0) return 0;
  std::size_t const offsets = needs.matrices * (nodes + 1) * sizeof(std::size_t);
  std::size_t const made = needs.entries / needs.matrices, entry = sizeof(node) + sizeof(double);
  return 3 * offsets + (2 * needs.entries + made) * entry +
         needs.entries * (sizeof(node) + element);
}

/// Rows of one node; of shared ones its part of them.
constexpr std::size_t state_bytes(fleet_size const &size, std::size_t element) {
  return size.slots() * size.parameters * element / (size.shared ? size.nodes : 1);
}

}  // namespace gossip::detail
