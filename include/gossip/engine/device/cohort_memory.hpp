// Number of nodes that a device works on at once, and their memory beside the rows.
#pragma once

#include <algorithm>
#include <cstddef>

#include <gossip/fleet/fleet.hpp>
#include <gossip/model/model.hpp>
#include <gossip/op/lanes.hpp>

namespace gossip {

/// Memory of the nodes in work on a device.
struct cohort_memory {
  std::size_t each;    ///< bytes of one node: parameters, gradient, workspace
  std::size_t budget;  ///< bytes of all nodes, about

  /// Nodes of which a device has at least one, though a rank may have none.
  static std::size_t held(fleet_size const &size) {
    return std::clamp<std::size_t>(size.held, 1, size.nodes);
  }

  /// Nodes of a cohort that are worked on at once: what fits the budget, and at most as many
  /// products as a dimension of a grid of GPU blocks counts (65,535).
  std::size_t most(std::size_t nodes) const {
    std::size_t const numbered = std::min<std::size_t>(nodes, 65'535);
    return std::clamp<std::size_t>(budget / each, 1, numbered);
  }

  std::size_t bytes(std::size_t nodes) const { return most(nodes) * each; }
};

/// Bytes from the workspace of one node to that of the next.
template <class Model, class T, class Worker>
std::size_t workspace_stride(std::size_t batch) {
  std::size_t const bytes = workspace_on<Model, T, Worker>(std::max(batch, chunk_samples));
  return (bytes + 255) / 256 * 256;
}

/// The memory for a model, whose budget is 4 GB, unless the worker says what it has. Never a share
/// of the memory that is free, on which results would then depend.
template <class Model, class T, class Worker>
cohort_memory cohort_memory_of(std::size_t batch) {
  std::size_t budget = std::size_t{4} << 30;
  if constexpr (requires { Worker::cohort_bytes; }) budget = Worker::cohort_bytes;
  return {2 * row_length<Model> * sizeof(T) + workspace_stride<Model, T, Worker>(batch), budget};
}

}  // namespace gossip
