// Result of a dry run: the plan of a run, counted, without anything trained.
#pragma once

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <iomanip>
#include <ostream>
#include <string>
#include <vector>

#include <gossip/clock/units.hpp>
#include <gossip/data/dataset.hpp>
#include <gossip/engine/distributed/communication_volume.hpp>
#include <gossip/engine/planned_row_traffic.hpp>
#include <gossip/fleet/memory.hpp>
#include <gossip/graph/partition.hpp>
#include <gossip/mixing/graph_report.hpp>
#include <gossip/observer/report.hpp>
#include <gossip/plan/staleness.hpp>
#include <gossip/plan/window.hpp>
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

/// Busy nodes and links, a line each.
inline void print_use(std::ostream &out, plan_report const &r) {
  auto const row = [&](char const *name) -> std::ostream & {
    return out << std::left << std::setw(24) << name << std::right;
  };
  auto const owner = [&](node i) {
    return i < r.nodes ? "node " + std::to_string(i) : "server " + std::to_string(i - r.nodes);
  };
  network_use const &use = r.use;
  row("time in training") << use.training << " on average, " << use.least_training << " of node "
                          << use.least_trained << '\n';
  if (use.most_sent == 0) return;
  row("most bytes sent") << format_bytes(use.most_sent) << ", by " << owner(use.sends_most) << '\n';
  row("busiest link") << format_bytes(use.busiest.bytes) << ", from " << owner(use.busiest.from)
                      << " to " << owner(use.busiest.to) << ", " << use.busiest_share
                      << " of what it could carry\n";
}

/// Mean and largest, and the share of gradients at each number of changes, seven of them.
inline void print_staleness(std::ostream &out, staleness_counts const &counts) {
  if (counts.total() == 0) return;
  out << std::left << std::setw(24) << "staleness" << std::right << counts.mean()
      << " changes on average, " << counts.largest() << " at most;";
  std::size_t shown = 0;
  for (std::size_t b = 0; b < staleness_counts::bins && shown < 7; ++b) {
    if (counts[b] == 0) continue;
    out << (shown++ == 0 ? " " : ", ") << b << (b + 1 == staleness_counts::bins ? "+: " : ": ")
        << 100 * static_cast<double>(counts[b]) / static_cast<double>(counts.total()) << " %";
  }
  out << '\n';
}

}  // namespace detail

/// A line a number, aligned; the graph has its own report.
inline std::ostream &operator<<(std::ostream &out, plan_report const &r) {
  auto const flags = out.flags();
  auto const precision = out.precision(4);
  using detail::print_row;
  print_row(out, "node-iterations", r.node_iterations);
  print_row(out, "epochs", r.epochs);
  print_row(out, "virtual seconds", r.virtual_seconds);
  print_row(out, "  per epoch", r.epoch_seconds);
  print_row(out, "bytes sent", r.bytes_sent);
  print_row(out, "mean cohort", r.mean_cohort);
  detail::print_use(out, r);
  detail::print_staleness(out, r.staleness);
  print_row(out, "memory needed", format_bytes(r.memory.total()));
  print_row(out, "state of a node", format_bytes(r.state_bytes_per_node));
  if (r.memory.stored > 0) {
    print_row(out, "rows read a training", r.rows_read);
    print_row(out, "rows written a training", r.rows_written);
  }
  if (r.ranks > 1 && r.node_iterations > 0) {
    print_row(out, "ranks", r.ranks);
    print_row(out, "nodes of a rank", r.division.largest);
    print_row(out, "edges between ranks", r.division.cut);
    print_row(out, "halo of a rank, nodes", r.division.most_halo);
    print_row(out, "sent by a rank per round",
              format_bytes(static_cast<std::size_t>(r.bytes_a_rank_a_round())));
  }
  print_row(out, "planned per second", r.node_iterations_per_second());
  out.precision(precision);
  out.flags(flags);
  return out;
}

namespace detail {

/// Virtual seconds of an epoch between the marks that are next to a quarter and to three quarters
/// of the last one's epochs.
inline double epoch_seconds(std::vector<progress_mark> const &marks) {
  auto const near = [&](double share) {
    double const wanted = share * marks.back().epoch;
    return *std::ranges::min_element(
        marks, {}, [&](progress_mark const &m) { return std::abs(m.epoch - wanted); });
  };
  progress_mark const from = near(0.25), to = near(0.75);
  double const seconds = static_cast<double>((to.time - from.time).count()) * 1e-9;
  return to.epoch > from.epoch ? seconds / (to.epoch - from.epoch) : 0.0;
}

/// Virtual seconds of an epoch from the start to the last mark with another training of each node
/// behind it.
inline double epoch_seconds_from_start(std::vector<progress_mark> const &marks, std::size_t nodes) {
  progress_mark to = marks.back();
  for (progress_mark const &m : marks)
    if (m.node_iterations > 0 && m.node_iterations + nodes <= marks.back().node_iterations) to = m;
  return to.epoch > 0 ? static_cast<double>(to.time.count()) * 1e-9 / to.epoch : 0.0;
}

}  // namespace detail

/// Plans to the end, counts what the windows hold and throws them away.
template <class Planner>
void count_plan(Planner &planner, plan_report &report, communication_volume *crossings = nullptr,
                planned_row_traffic *rows = nullptr) {
  auto const begin = std::chrono::steady_clock::now();
  plan_window window;
  std::size_t trainings = 0, cohorts = 0;
  std::vector<progress_mark> marks(1);
  planned_staleness staleness(report.nodes);
  while (planner.next(window)) {
    marks.push_back(window.end);
    staleness.count(window);
    for (std::size_t l = 0; l < window.levels(); ++l) {
      trainings += window.level(l).cohort.size();
      cohorts += !window.level(l).cohort.empty();
    }
    if (crossings) crossings->count(window);
    if (rows) rows->count(window);
    report.node_iterations = window.end.node_iterations;
    report.epochs = window.end.epoch;
    report.virtual_seconds = static_cast<double>(window.end.time.count()) * 1e-9;
    report.bytes_sent = window.end.bytes_sent;
  }
  report.epoch_seconds = detail::epoch_seconds(marks);
  report.epoch_seconds_from_start = detail::epoch_seconds_from_start(marks, report.nodes);
  report.staleness = staleness.counts();
  report.node_staleness = staleness.means();
  report.mean_cohort =
      static_cast<double>(trainings) / static_cast<double>(std::max<std::size_t>(cohorts, 1));
  auto const each = static_cast<double>(std::max<std::size_t>(trainings, 1));
  if (rows) report.rows_read = static_cast<double>(rows->read()) / each;
  if (rows) report.rows_written = static_cast<double>(rows->written()) / each;
  report.planning_seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

}  // namespace gossip
