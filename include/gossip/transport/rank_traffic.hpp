// What it took a run to be on many ranks.
#pragma once

#include <cstddef>
#include <cstdint>

namespace gossip {

/// How rows get from the memory that they lie in to MPI, and back.
enum class row_path : std::uint8_t {
  host,    ///< they lie in memory of the host
  pinned,  ///< from a GPU through pinned memory of the host
  direct   ///< MPI reads and writes GPU memory
};

constexpr char const *name_of(row_path path) {
  if (path == row_path::host) return "host";
  return path == row_path::pinned ? "pinned" : "direct";
}

/// Of all ranks together where nothing else is said.
struct rank_traffic {
  std::uint64_t bytes_sent = 0;     ///< rows on the wire; not the sums of all-reduce, which go as
                                    ///< MPI likes
  std::uint64_t planned_bytes = 0;  ///< the same as the plan counts operations across ranks
  double waiting_seconds = 0;       ///< nothing to compute: the mean rank
  double most_waiting_seconds = 0;  ///< of the rank that waited most
  double planning_seconds = 0;      ///< dividing windows into tasks: the mean rank
  double imbalance =
      1;  ///< a level's largest share of trainings over an even one, mean by training
  std::size_t most_nodes = 0;      ///< of a rank
  std::size_t cut_edges = 0;       ///< edges between ranks
  row_path rows = row_path::host;  ///< how rows travel, on rank 0
  std::uint64_t copies_down = 0;   ///< each of which brought some rows from a GPU to the host
  std::size_t ranks_a_device = 0;  ///< of the GPU that most ranks share; 0 without GPUs
};

}  // namespace gossip
