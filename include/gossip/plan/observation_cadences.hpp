// The schedule of observations: each cadence before anything is trained, at its multiples, and at
// the end. A run ends with a whole round, so that a multiple may lie less than a round before the
// end; the last one of a cadence that does is observed at the end, once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <gossip/plan/epochs.hpp>

namespace gossip {

class observation_cadences {
 public:
  /// end: of the run, in node-iterations, as it is planned; round: node-iterations of a round.
  observation_cadences(std::vector<cadence> cadences, std::uint64_t end, std::uint64_t round);

  /// The cadences due after so many node-iterations, as bits; a cadence that was passed several
  /// times at once is due once.
  std::uint64_t due(std::uint64_t node_iterations, bool finished);

 private:
  std::vector<cadence> cadences_;
  std::uint64_t end_, round_;
  std::vector<std::uint64_t> next_;  // (cadences), in node-iterations
};

}  // namespace gossip

#ifndef GOSSIP_COMPILED
#include <gossip/plan/detail/observation_cadences.ipp>
#endif
