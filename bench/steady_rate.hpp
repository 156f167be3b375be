// Node-iterations a second of a run once it is under way, and an end to the run when enough has
// been seen.
#pragma once

#include <atomic>
#include <cstdint>

#include <gossip/observer/report.hpp>
#include <gossip/plan/operation.hpp>

namespace gossip::bench {

/// The interval between two levels of a run, in training time without evaluation.
struct interval {
  std::uint64_t warm_up;  ///< node-iterations that do not count: first windows touch new pages
  double enough;          ///< seconds after which the run may end
  std::atomic<bool> over{false};
  bool begun = false;
  progress_mark first{}, last{};
  double from = 0, to = 0;  // seconds

  std::uint64_t node_iterations() const { return last.node_iterations - first.node_iterations; }
  double per_second() const { return static_cast<double>(node_iterations()) / (to - from); }
};

/// The observer that fills an interval, which outlives the run and is its interrupt too.
struct watch {
  interval *of;

  void tick(progress_mark const &mark, double wall_seconds) {
    if (of->over) return;
    if (!of->begun && mark.node_iterations >= of->warm_up) {
      of->begun = true;
      of->first = mark;
      of->from = wall_seconds;
    } else if (of->begun) {
      of->last = mark;
      of->to = wall_seconds;
      of->over = wall_seconds - of->from >= of->enough;
    }
  }
  void end(run_report const &report) {
    if (of->over) return;
    of->last.node_iterations = report.node_iterations;
    of->to = report.wall_seconds;
  }
};

}  // namespace gossip::bench
