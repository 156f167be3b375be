// Definitions of simulator/plan_report.hpp.
#pragma once

#include <gossip/simulator/plan_report.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <iomanip>

#include <gossip/clock/units.hpp>
#include <gossip/core/inline.hpp>

namespace gossip {

namespace detail {

/// Busy nodes and links, a line each.
GOSSIP_INLINE void print_use(std::ostream &out, plan_report const &r) {
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

GOSSIP_INLINE void print_staleness(std::ostream &out, staleness_counts const &counts) {
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

GOSSIP_INLINE std::ostream &operator<<(std::ostream &out, plan_report const &r) {
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

GOSSIP_INLINE double epoch_seconds(std::vector<progress_mark> const &marks) {
  auto const near = [&](double share) {
    double const wanted = share * marks.back().epoch;
    return *std::ranges::min_element(
        marks, {}, [&](progress_mark const &m) { return std::abs(m.epoch - wanted); });
  };
  progress_mark const from = near(0.25), to = near(0.75);
  double const seconds = static_cast<double>((to.time - from.time).count()) * 1e-9;
  return to.epoch > from.epoch ? seconds / (to.epoch - from.epoch) : 0.0;
}

GOSSIP_INLINE double epoch_seconds_from_start(std::vector<progress_mark> const &marks,
                                              std::size_t nodes) {
  progress_mark to = marks.back();
  for (progress_mark const &m : marks)
    if (m.node_iterations > 0 && m.node_iterations + nodes <= marks.back().node_iterations) to = m;
  return to.epoch > 0 ? static_cast<double>(to.time.count()) * 1e-9 / to.epoch : 0.0;
}

}  // namespace detail

GOSSIP_INLINE void count_plan(window_source const &next, plan_report &report,
                              communication_volume *crossings, planned_row_traffic *rows) {
  auto const begin = std::chrono::steady_clock::now();
  plan_window window;
  std::size_t trainings = 0, cohorts = 0;
  std::vector<progress_mark> marks(1);
  planned_staleness staleness(report.nodes);
  while (next(window, plan_window::no_limit)) {
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
