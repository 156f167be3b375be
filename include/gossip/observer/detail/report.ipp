// Definitions of observer/report.hpp.
#pragma once

#include <gossip/observer/report.hpp>

#include <algorithm>

#include <gossip/clock/units.hpp>
#include <gossip/core/inline.hpp>

namespace gossip {

namespace detail {

/// Levels and windows are those of the plan: "level 2 of window 1".
GOSSIP_INLINE void print_traffic(std::ostream &out, run_report const &r) {
  communication_report const &t = r.traffic;
  auto const name = [&](auto const &place) -> std::ostream & {
    return out << "level " << place.level << " of window " << place.window;
  };
  print_row(out, "bytes between ranks", t.bytes_sent);
  if (t.rows == row_path::pinned)
    print_row(out, "rows of GPUs travel", "through pinned memory of the host");
  if (t.rows == row_path::direct)
    print_row(out, "rows of GPUs travel", "directly: MPI reads GPU memory");
  if (t.ranks_a_device > 1)
    print_row(out, "ranks that share a GPU",
              std::to_string(t.ranks_a_device) + "; one rank per GPU would avoid waits");
  print_row(out, "waiting seconds", t.waiting_seconds);
  print_row(out, "waiting for a level", t.level_waiting_seconds());
  if (t.most_awaited.window > 0) {
    out << std::setw(24) << "  longest" << t.most_awaited.seconds << ", rank "
        << t.most_awaited.rank << " for ";
    name(t.most_awaited) << '\n';
  }
  print_row(out, "imbalance of a level", t.imbalance);
  if (t.most_uneven.window > 0) {
    out << std::setw(24) << "  worst" << t.most_uneven.imbalance << ", ";
    name(t.most_uneven) << " with " << t.most_uneven.trainings << " trainings\n";
  }
  print_row(out, "planning seconds", t.planning_seconds);
  if (auto const share = long_planning(r))
    out << "planning took " << 100 * *share
        << " % of a rank's time, more than a tenth; more ranks do not shorten it, larger models or "
           "batches outweigh it\n";
}

GOSSIP_INLINE void print_tier(std::ostream &out, tier_report const &t, std::uint64_t trainings) {
  double const each = 1.0 / static_cast<double>(std::max<std::uint64_t>(trainings, 1));
  auto const size = [&](double bytes) { return format_bytes(static_cast<std::size_t>(bytes)); };
  print_row(out, "rows on disk", size(static_cast<double>(t.bytes)) + ", " + t.store);
  print_row(out, "  in memory",
            "of " + std::to_string(t.frames) + " nodes; " + std::to_string(t.columns) +
                " columns of all");
  print_row(out, "  read a training", size(static_cast<double>(t.read) * each));
  print_row(out, "  written a training", size(static_cast<double>(t.written) * each));
  print_row(out, "  waited for, seconds", t.waiting_seconds);
}

/// Prints all that repeats a run on a machine of the same kind; nothing for an unfilled report.
GOSSIP_INLINE void print_provenance(std::ostream &out, provenance const &of) {
  if (of.compiler.empty()) return;
  auto const known = [&](char const *name, std::string const &value) {
    if (!value.empty()) print_row(out, name, value);
  };
  known("exchange", of.exchange.text());
  print_row(out, "seed", of.seed);
  if (of.topology_seed) print_row(out, "  of the topology", *of.topology_seed);
  if (of.split_seed) print_row(out, "  of the split", *of.split_seed);
  known("processor", of.processor);
  known("device", of.device);
  known("backend", of.backend + ", " + of.numbers);
  known("compiler", of.compiler + (of.flags.empty() ? "" : ", ") + of.flags);
  known("BLAS", of.blas + (of.kernels.empty() ? "" : ", kernels ") + of.kernels);
  known("convolutions", of.library);
  known("gossip", std::string(version) + (of.commit.empty() ? "" : ", commit ") + of.commit);
}

}  // namespace detail

GOSSIP_INLINE std::ostream &operator<<(std::ostream &out, run_report const &r) {
  auto const flags = out.flags();
  auto const precision = out.precision(4);
  using detail::print_row;
  print_row(out, "node-iterations", r.node_iterations);
  print_row(out, "per second", r.node_iterations_per_second());
  print_row(out, "training seconds", r.wall_seconds);
  if (r.replay_seconds > 0) print_row(out, "replay seconds", r.replay_seconds);
  print_row(out, "virtual seconds", r.virtual_seconds);
  print_row(out, "bytes sent", r.bytes_sent);
  print_row(out, "mean cohort", r.mean_cohort);
  if (r.tier) detail::print_tier(out, *r.tier, r.node_iterations);
  if (r.ranks > 1) {
    print_row(out, "ranks", r.ranks);
    detail::print_traffic(out, r);
  }
  print_row(out, "loss", r.last.loss);
  if (r.last.accuracy) {
    print_row(out, "accuracy, mean", r.last.accuracy->mean);
    print_row(out, "accuracy, worst node", r.last.accuracy->min);
  }
  if (r.last.averaged_model_accuracy)
    print_row(out, "accuracy of the mean", *r.last.averaged_model_accuracy);
  if (r.last.consensus_distance) print_row(out, "consensus distance", *r.last.consensus_distance);
  if (r.last.statistics_distance) print_row(out, "  of statistics", *r.last.statistics_distance);
  for (named_number const &one : r.last.numbers) print_row(out, one.name, one.value);
  if (r.skipped) {
    print_row(out, "scale of the loss", r.skipped->smallest_scale);
    print_row(out, "steps skipped", r.skipped->steps);
    if (r.skipped->steps > 0) {
      print_row(out, "  number of nodes", r.skipped->nodes);
      print_row(out, "  most on node", r.skipped->worst);
      print_row(out, "  steps of that node", r.skipped->most);
    }
  }
  detail::print_provenance(out, r.provenance);
  print_row(out, "digest", hex(r.digest));
  if (r.interrupted) print_row(out, "interrupted", "yes");
  out.precision(precision);
  out.flags(flags);
  return out;
}

}  // namespace gossip
