// The schedule of observations: each cadence before anything is trained, at its multiples, and at
// the end. A run ends with a whole round, so that a multiple may lie less than a round before the
// end; the last one of a cadence that does is observed at the end, once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <gossip/core/error.hpp>
#include <gossip/plan/epochs.hpp>

namespace gossip {

class observation_cadences {
 public:
  /// end: of the run, in node-iterations, as it is planned; round: node-iterations of a round.
  observation_cadences(std::vector<cadence> cadences, std::uint64_t end, std::uint64_t round)
      : cadences_(std::move(cadences)), end_(end), round_(round) {
    if (cadences_.size() > 64)
      throw input_error("every", "at most 64 periods", std::to_string(cadences_.size()));
    for (cadence const &c : cadences_) next_.push_back(next_due(c, 0));
  }

  /// The cadences due after so many node-iterations, as bits; a cadence that was passed several
  /// times at once is due once.
  std::uint64_t due(std::uint64_t node_iterations, bool finished) {
    std::uint64_t bits = 0;
    for (std::size_t c = 0; c < next_.size(); ++c)
      if (finished || node_iterations >= next_[c]) {
        next_[c] = next_due(cadences_[c], node_iterations);
        bool const at_end = next_[c] > end_ && node_iterations + round_ > end_;
        if (finished || !at_end) bits |= std::uint64_t{1} << c;
      }
    return bits;
  }

 private:
  std::vector<cadence> cadences_;
  std::uint64_t end_, round_;
  std::vector<std::uint64_t> next_;  // (cadences), in node-iterations
};

}  // namespace gossip
