// Costs of a run on many ranks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace gossip {

/// The level with the worst imbalance of trainings. Windows count from 1, levels of a window from
/// 0, the operations before its first training.
struct uneven_level {
  double imbalance = 1;         ///< the largest share of one rank over an even one
  std::uint64_t trainings = 0;  ///< of all ranks
  std::uint64_t window = 0, level = 0;
};

/// The level that a rank had to wait longest for.
struct awaited_level {
  double seconds = 0;
  std::size_t rank = 0;
  std::uint64_t window = 0, level = 0;
};

/// The path of rows from the memory that they lie in to MPI, and back.
enum class row_path : std::uint8_t {
  host,    ///< they lie in memory of the host
  pinned,  ///< from a GPU through pinned memory of the host
  direct   ///< MPI reads and writes GPU memory
};

constexpr char const *name_of(row_path path) {
  if (path == row_path::host) return "host";
  return path == row_path::pinned ? "pinned" : "direct";
}

/// One rank's account of its part.
struct rank_account {
  std::string machine;
  std::size_t nodes = 0;
  std::uint64_t bytes_sent = 0;
  double waiting_seconds = 0, planning_seconds = 0;

  template <class Archive>
  void serialize(Archive &archive, unsigned) {
    archive & machine & nodes & bytes_sent & waiting_seconds & planning_seconds;
  }
};

/// Of all ranks together where nothing else is said.
struct communication_report {
  std::uint64_t bytes_sent = 0;  ///< rows sent or published; not the sums of all-reduce, which go
                                 ///< as MPI likes
  std::uint64_t planned_bytes = 0;   ///< the same as the plan counts operations across ranks
  double waiting_seconds = 0;        ///< nothing to compute: the mean rank
  double most_waiting_seconds = 0;   ///< of the rank that waited most
  double planning_seconds = 0;       ///< making windows and tasks of them: the mean rank
  double most_planning_seconds = 0;  ///< of the rank that planned longest
  std::uint64_t levels = 0;          ///< of all windows, those in which somebody does something
  double imbalance = 1;              ///< a level's largest share over an even one, mean by training
  uneven_level most_uneven;          ///< with most trainings lost if ranks met after each level
  awaited_level most_awaited;        ///< with the longest wait of a rank
  std::size_t most_nodes = 0;        ///< of a rank
  std::size_t cut_edges = 0;         ///< edges between ranks
  row_path rows = row_path::host;    ///< path of rows on rank 0
  std::uint64_t copies_down = 0;     ///< each of which brought some rows from a GPU to the host
  std::size_t ranks_a_device = 0;    ///< of the GPU that most ranks share; 0 without GPUs
  std::vector<rank_account> accounts;  ///< of each rank

  /// Seconds of waiting for a level, mean over ranks and levels.
  double level_waiting_seconds() const {
    return levels > 0 ? waiting_seconds / static_cast<double>(levels) : 0.0;
  }
};

}  // namespace gossip
