// What it took a run to be on many ranks.
#pragma once

#include <cstddef>
#include <cstdint>

namespace gossip {

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
  std::size_t most_nodes = 0;  ///< of a rank
  std::size_t cut_edges = 0;   ///< edges between ranks
};

}  // namespace gossip
