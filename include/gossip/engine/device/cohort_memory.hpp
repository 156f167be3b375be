// Number of nodes that a device works on at once, and their memory beside the rows.
#pragma once

#include <algorithm>
#include <cstddef>

#include <gossip/fleet/fleet.hpp>
#include <gossip/model/model.hpp>
#include <gossip/op/lanes.hpp>

namespace gossip {

template <class T, class Model, class Worker>
struct cohort_memory {
  /// Bytes from the workspace of one node to that of the next.
  static std::size_t workspace_stride(std::size_t batch) {
    std::size_t const bytes = workspace_on<Model, T, Worker>(std::max(batch, chunk_samples));
    return (bytes + 255) / 256 * 256;
  }

  /// Of one node in work: parameters, gradient, workspace.
  static std::size_t each(std::size_t batch) {
    return 2 * row_length<Model> * sizeof(T) + workspace_stride(batch);
  }

  /// Bytes of all nodes in work, about: 4 GB, unless the worker says what it has. Never a share of
  /// the memory that is free, on which results would then depend.
  static constexpr std::size_t budget() {
    if constexpr (requires { Worker::cohort_bytes; })
      return Worker::cohort_bytes;
    else
      return std::size_t{4} << 30;
  }

  /// Nodes of which a device has at least one, though a rank may have none.
  static std::size_t held(fleet_size const &size) {
    return std::clamp<std::size_t>(size.held, 1, size.nodes);
  }

  /// Nodes of a cohort that are worked on at once: what fits the budget, and at most as many
  /// products as a dimension of a grid of GPU blocks counts (65,535).
  static std::size_t cohort_limit(std::size_t nodes, std::size_t batch) {
    std::size_t const most = std::min<std::size_t>(nodes, 65'535);
    return std::clamp<std::size_t>(budget() / each(batch), 1, most);
  }

  static std::size_t bytes(std::size_t nodes, std::size_t batch) {
    return cohort_limit(nodes, batch) * each(batch);
  }
};

}  // namespace gossip
