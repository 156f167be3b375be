// Result of a dry run: the plan of a run, counted, without anything trained.
#pragma once

#include <cstddef>
#include <cstdint>
#include <ostream>
#include <string>
#include <vector>

#include <gossip/data/dataset.hpp>
#include <gossip/engine/distributed/communication_volume.hpp>
#include <gossip/engine/planned_row_traffic.hpp>
#include <gossip/fleet/memory.hpp>
#include <gossip/graph/partition.hpp>
#include <gossip/mixing/graph_report.hpp>
#include <gossip/observer/report.hpp>
#include <gossip/plan/staleness.hpp>
#include <gossip/plan/window.hpp>
#include <gossip/simulator/held_exchange.hpp>
#include <gossip/simulator/network_use.hpp>

namespace gossip {

/// A training set as far as a plan and the memory depend on it.
struct sample_outline {
  std::size_t samples = 0;
  std::size_t feature_bytes = 1;  ///< 1: features stored as bytes, 4: as floats

  /// Features, label and place in a share or a list of all samples; on a device there are no
  /// shares.
  constexpr std::size_t bytes(std::size_t features, bool places = true) const {
    return samples * (features * feature_bytes + sizeof(std::uint16_t) +
                      (places ? sizeof(std::uint32_t) : 0));
  }
};

/// Of a data set that is there.
inline sample_outline outline_of(dataset const &data) {
  return {data.size(), data.stored_as_bytes() ? 1U : 4U};
}

struct plan_report {
  std::size_t nodes = 0;
  std::size_t parameters = 0;
  std::uint64_t node_iterations = 0;
  double epochs = 0;
  double virtual_seconds = 0;
  double epoch_seconds = 0;  ///< virtual time of an epoch in the middle half of the run: the last
                             ///< training of a slow node does not show
  double epoch_seconds_from_start = 0;  ///< from the start of the run to before its last
                                        ///< trainings, one a node
  std::uint64_t bytes_sent = 0;
  double mean_cohort = 0;
  double planning_seconds = 0;
  std::size_t state_bytes_per_node = 0;
  memory_need memory;                      ///< of the largest rank
  double rows_read = 0, rows_written = 0;  ///< a training, where rows lie in a store:
                                           ///< at most, but for observers
  graph_report graph;
  network_use use;
  staleness_counts staleness;          ///< of gradients, see planned_staleness
  std::vector<double> node_staleness;  ///< its mean, (n)
  std::vector<std::string> remarks;    ///< see run_outline
  std::size_t ranks = 1;
  partition_report division;       ///< with several ranks
  std::uint64_t bytes_across = 0;  ///< of bytes_sent, or its part that is sent once a rank

  double node_iterations_per_second() const {
    return planning_seconds > 0 ? static_cast<double>(node_iterations) / planning_seconds : 0.0;
  }
  /// Bytes that a rank sends in a round, on average.
  double bytes_a_rank_a_round() const {
    if (node_iterations == 0) return 0.0;
    double const rounds = static_cast<double>(node_iterations) / static_cast<double>(nodes);
    return static_cast<double>(bytes_across) / static_cast<double>(ranks) / rounds;
  }
};

namespace detail {

/// Mean and largest, and the share of gradients at each number of changes, seven of them.
void print_staleness(std::ostream &out, staleness_counts const &counts);

}  // namespace detail

/// A line a number, aligned; the graph has its own report.
std::ostream &operator<<(std::ostream &out, plan_report const &r);

namespace detail {

/// Virtual seconds of an epoch between the marks that are next to a quarter and to three quarters
/// of the last one's epochs.
double epoch_seconds(std::vector<progress_mark> const &marks);

/// Virtual seconds of an epoch from the start to the last mark with another training of each node
/// behind it.
double epoch_seconds_from_start(std::vector<progress_mark> const &marks, std::size_t nodes);

}  // namespace detail

/// Plans to the end, counts what the windows hold and throws them away.
void count_plan(window_source const &next, plan_report &report,
                communication_volume *crossings = nullptr, planned_row_traffic *rows = nullptr);

}  // namespace gossip

#ifndef GOSSIP_COMPILED
#include <gossip/simulator/detail/plan_report.ipp>
#endif
