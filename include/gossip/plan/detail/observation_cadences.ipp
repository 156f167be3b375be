// Definitions of plan/observation_cadences.hpp.
#pragma once

#include <gossip/plan/observation_cadences.hpp>

#include <string>
#include <utility>

#include <gossip/core/error.hpp>
#include <gossip/core/inline.hpp>

namespace gossip {

GOSSIP_INLINE observation_cadences::observation_cadences(std::vector<cadence> cadences,
                                                         std::uint64_t end, std::uint64_t round)
    : cadences_(std::move(cadences)), end_(end), round_(round) {
  if (cadences_.size() > 64)
    throw input_error("every", "at most 64 periods", std::to_string(cadences_.size()));
  for (cadence const &c : cadences_) next_.push_back(next_due(c, 0));
}

GOSSIP_INLINE std::uint64_t observation_cadences::due(std::uint64_t node_iterations,
                                                      bool finished) {
  std::uint64_t bits = 0;
  for (std::size_t c = 0; c < next_.size(); ++c)
    if (finished || node_iterations >= next_[c]) {
      next_[c] = next_due(cadences_[c], node_iterations);
      bool const at_end = next_[c] > end_ && node_iterations + round_ > end_;
      if (finished || !at_end) bits |= std::uint64_t{1} << c;
    }
  return bits;
}

}  // namespace gossip
