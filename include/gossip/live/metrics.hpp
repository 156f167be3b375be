// Counts and measurements of one learner of a live run; plain data, so that it travels as it is.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <type_traits>

#include <gossip/plan/staleness.hpp>

namespace gossip::live {

/// Of one rank, from the common start of a run until its own end.
struct metrics {
  std::uint64_t iterations = 0;     ///< gradients computed and applied
  std::uint64_t exchanges = 0;      ///< pairwise averages taken part in, or rounds of communication
  std::uint64_t bytes_sent = 0;     ///< models, gradients and messages that end the run
  double seconds = 0;               ///< on the wall clock
  double computing_seconds = 0;     ///< a gradient was under way, its artificial sleep included
  double waiting_seconds = 0;       ///< a gradient was there, and others were waited for
  double loss = 0;                  ///< summed over the gradients
  double last_losses = 0;           ///< a running mean that forgets, over some 20 gradients
  double sum_before = 0;            ///< of all numbers that are exchanged, at the start
  double sum_after = 0;             ///< and at the end
  double moved = 0;                 ///< the change of that sum by the learner's own steps
  double magnitude = 0;             ///< sum of absolute values at the end
  double correct = 0, samples = 0;  ///< of the rank's own model on the test set
  std::uint64_t hash = 0;           ///< of the rank's model at the end
  staleness_counts staleness{};

  void trained(double gradient_loss, double gradient_seconds, std::uint64_t stale) {
    last_losses = iterations == 0 ? gradient_loss : 0.95 * last_losses + 0.05 * gradient_loss;
    ++iterations;
    loss += gradient_loss;
    computing_seconds += gradient_seconds;
    staleness.add(stale);
  }
};
static_assert(std::is_trivially_copyable_v<metrics>);

/// Totals over the learners of a run.
struct totals {
  std::uint64_t iterations = 0, exchanges = 0, bytes_sent = 0;
  double seconds = 0;    ///< until the last learner was done
  double loss = 0;       ///< mean over all gradients
  double sum_error = 0;  ///< |sum after - sum before - steps| / sum of absolute values
  staleness_counts staleness{};

  explicit totals(std::span<metrics const> of_ranks) {
    double difference = 0, magnitude = 0;
    for (metrics const &f : of_ranks) {
      iterations += f.iterations;
      exchanges += f.exchanges;
      bytes_sent += f.bytes_sent;
      seconds = std::max(seconds, f.seconds);
      loss += f.loss;
      difference += f.sum_after - f.sum_before - f.moved;
      magnitude += f.magnitude;
      staleness.add(f.staleness);
    }
    loss /= static_cast<double>(std::max<std::uint64_t>(1, iterations));
    sum_error = magnitude > 0 ? std::abs(difference) / magnitude : std::abs(difference);
  }

  /// Seconds in which the learners together work through the training set once.
  double seconds_per_epoch(double iterations_per_epoch) const {
    return seconds * iterations_per_epoch /
           static_cast<double>(std::max<std::uint64_t>(1, iterations));
  }
};

}  // namespace gossip::live
