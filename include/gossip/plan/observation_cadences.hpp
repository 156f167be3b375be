// When observers are due: each cadence at its multiples, all of them at the end.
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
  explicit observation_cadences(std::vector<cadence> cadences) : cadences_(std::move(cadences)) {
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
        bits |= std::uint64_t{1} << c;
        next_[c] = next_due(cadences_[c], node_iterations);
      }
    return bits;
  }

 private:
  std::vector<cadence> cadences_;
  std::vector<std::uint64_t> next_;  // (cadences), in node-iterations
};

}  // namespace gossip
