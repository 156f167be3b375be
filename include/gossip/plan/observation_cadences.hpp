// When observers are due: each cadence at its multiples, all of them at the end.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <gossip/core/error.hpp>
#include <gossip/plan/settings.hpp>

namespace gossip {

class observation_cadences {
 public:
  explicit observation_cadences(std::vector<cadence> cadences) : cadences_(std::move(cadences)) {
    if (cadences_.size() > 64)
      throw input_error("every", "at most 64 periods", std::to_string(cadences_.size()));
    for (cadence const &c : cadences_) next_.push_back(c.node_iterations);
  }

  /// The cadences due after so many node-iterations, as bits; a cadence that was passed several
  /// times at once is due once.
  std::uint64_t due(std::uint64_t node_iterations, bool finished) {
    std::uint64_t bits = 0;
    for (std::size_t c = 0; c < next_.size(); ++c)
      if (finished || static_cast<double>(node_iterations) >= next_[c]) {
        bits |= std::uint64_t{1} << c;
        next_[c] = after(node_iterations, cadences_[c].node_iterations);
      }
    return bits;
  }

 private:
  /// The first multiple of the period beyond so many node-iterations.
  static double after(std::uint64_t node_iterations, double period) {
    double const now = static_cast<double>(node_iterations);
    double const next = (std::floor(now / period) + 1.0) * period;
    return next > now ? next : next + period;
  }

  std::vector<cadence> cadences_;
  std::vector<double> next_;  // (cadences)
};

}  // namespace gossip
