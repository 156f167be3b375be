// Definitions of clock/participation.hpp.
#pragma once

#include <gossip/clock/participation.hpp>

#include <algorithm>
#include <string>
#include <utility>

#include <gossip/core/error.hpp>
#include <gossip/core/inline.hpp>
#include <gossip/core/number_text.hpp>

namespace gossip {

GOSSIP_INLINE void participation::check() const {
  bool const drawn =
      scheme == participation_scheme::uniform || scheme == participation_scheme::markov;
  if (drawn && !(share > 0 && share <= 1))
    throw input_error("clock: participation: share", "a number above 0 and at most 1",
                      detail::shortest(share));
  if (scheme == participation_scheme::markov && !(absence * share >= 1 && absence <= 1e6))
    throw input_error("clock: participation: absence", "1 / share to 1000000 rounds",
                      detail::shortest(absence));
  if (scheme == participation_scheme::cyclic && groups == 0)
    throw input_error("clock: participation: groups", "at least 1", "0");
}

GOSSIP_INLINE participants::participants(participation const &of, std::size_t nodes,
                                         std::uint64_t seed, bool may_be_late)
    : of_(of), seed_(seed) {
  of.check();
  if (of.scheme == participation_scheme::cyclic && nodes > 0 && of.groups > nodes)
    throw input_error("clock: participation: groups",
                      "at most the " + std::to_string(nodes) + " nodes", std::to_string(of.groups));
  if (of.scheme == participation_scheme::markov && of.share < 1)
    spells_.emplace(of.leaves(), 1 / of.absence, purpose::participation);
  bool const drawn = of.scheme == participation_scheme::uniform && of.share < 1;
  all_ = !drawn && !spells_ && (of.scheme != participation_scheme::cyclic || of.groups == 1);
  all_ = all_ && !(may_be_late && nodes > 0);
  if (!all_) present_.resize(nodes, 1);
}

GOSSIP_INLINE void participants::begin(round_number k, std::vector<std::uint8_t> late) {
  round_ = k;
  late_ = std::move(late);
  for (std::size_t i = 0; i < present_.size(); ++i) present_[i] = takes_part(i);
  none_absent_ = !present_.empty() && std::ranges::find(present_, 0) == present_.end();
}

GOSSIP_INLINE bool participants::takes_part(std::size_t i) const {
  if (i < late_.size() && i < present_.size() && late_[i] != 0) return false;
  auto const owner = static_cast<node>(i);
  switch (of_.scheme) {
    case participation_scheme::always:
      return true;
    case participation_scheme::uniform:
      return keyed_random(seed_, purpose::participation, owner, round_).uniform() < of_.share;
    case participation_scheme::markov:
      return !spells_ || !spells_->slow(seed_, owner, round_);
    case participation_scheme::cyclic:
      return i % of_.groups == round_ % of_.groups;
  }
  return true;
}

}  // namespace gossip
