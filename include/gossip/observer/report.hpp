// Summary of a run: the numbers of summary.json, and their printed form.
#pragma once

#include <cstddef>
#include <cstdint>
#include <iomanip>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include <gossip/fleet/digest.hpp>
#include <gossip/fleet/memory.hpp>
#include <gossip/fleet/skipped_steps.hpp>
#include <gossip/fleet/tier_report.hpp>
#include <gossip/mixing/graph_report.hpp>
#include <gossip/observer/provenance.hpp>
#include <gossip/observer/record.hpp>
#include <gossip/transport/communication_report.hpp>

namespace gossip {

inline constexpr char const *version = "0.2.0";

/// Everything here is counted by the plan, the allocator or the clock; nothing is a formula beside.
struct run_report {
  std::uint64_t digest = 0;
  std::size_t nodes = 0;
  std::size_t parameters = 0;
  std::size_t ranks = 1;
  std::size_t threads = 1;  ///< of a rank
  std::uint64_t node_iterations = 0;
  double wall_seconds = 0;  ///< training, without evaluation
  double evaluation_seconds = 0;
  double planning_seconds = 0;  ///< of the thread that plans, beside training
  double replay_seconds = 0;    ///< before a run that goes on: its plan up to the state, again
  double virtual_seconds = 0;
  std::uint64_t bytes_sent = 0;
  std::size_t state_bytes_per_node = 0;
  memory_need announced;
  std::size_t peak_resident_bytes = 0;
  double mean_cohort = 0;
  bool interrupted = false;
  bool stopped = false;         ///< ended by its exchange, before its stop
  std::vector<double> answers;  ///< to what the exchange asked, in order; a run given them repeats
                                ///< its decisions without measuring
  std::optional<skipped_steps> skipped;  ///< of a run in fp16
  std::optional<tier_report> tier;       ///< where memory has only some rows at a time
  record last;
  graph_report graph;
  std::vector<std::string> remarks;  ///< that were made before the run
  communication_report traffic;      ///< with several ranks
  gossip::provenance provenance;

  /// The end of the run in a word: "done", "stopped" by its exchange, "interrupted".
  char const *ended() const { return interrupted ? "interrupted" : stopped ? "stopped" : "done"; }

  double node_iterations_per_second() const {
    return wall_seconds > 0 ? static_cast<double>(node_iterations) / wall_seconds : 0.0;
  }
};

/// The share of the time of a rank that planning took where it is more than a tenth, else nothing.
/// The plan is the same on all ranks, so that more of them do not help.
inline std::optional<double> long_planning(run_report const &r) {
  double const share = r.wall_seconds > 0 ? r.traffic.most_planning_seconds / r.wall_seconds : 0;
  if (r.ranks > 1 && share > 0.1) return share;
  return std::nullopt;
}

namespace detail {

inline void print_row(std::ostream &out, std::string_view name, auto const &value) {
  out << std::left << std::setw(24) << name << value << '\n';
}

}  // namespace detail

/// A line a number, aligned.
std::ostream &operator<<(std::ostream &out, run_report const &r);

}  // namespace gossip

#ifndef GOSSIP_COMPILED
#include <gossip/observer/detail/report.ipp>
#endif
