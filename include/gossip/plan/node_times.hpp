// The way in which the times of a run's owners are known, chosen once.
#pragma once

#include <memory>
#include <utility>

#include <gossip/plan/activity_times.hpp>
#include <gossip/plan/due_times.hpp>
#include <gossip/plan/known_times.hpp>
#include <gossip/plan/owner_times.hpp>

namespace gossip {

/// Times of the owners of a run: by activities where messages share links or links differ, unless
/// all ends are known already; beside the times at which they are due in rounds that go on without
/// nodes that are down; and otherwise known at once.
inline std::unique_ptr<owner_times> times_of(timed_run const &of, bool in_rounds, bool ends_known) {
  node_clock clock(of.clock, of.nodes, of.seed);
  if (!of.clock.outline().is_plain() && !ends_known)
    return std::make_unique<activity_times>(of, std::move(clock));
  if (in_rounds && !ends_known && clock.excludes())
    return std::make_unique<due_times>(of, std::move(clock));
  return std::make_unique<known_times>(of, std::move(clock));
}

}  // namespace gossip
