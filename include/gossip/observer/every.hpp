// Schedule of observers: every(epochs{1}, accuracy{test}, consensus_distance{}).
#pragma once

#include <cstdint>
#include <tuple>
#include <utility>

#include <gossip/core/error.hpp>

namespace gossip {

/// So many passes of all nodes together over the training set.
struct epochs {
  double count;
};

/// So many rounds: iterations of every node, or n steps of the network where there are no rounds.
struct rounds {
  std::uint64_t count;
};

/// Observers that look before anything is trained, every `period`, and once at the end of the run.
template <class Period, class... Observers>
struct periodic {
  Period period;
  std::tuple<Observers...> observers;
};

template <class Period, class... Observers>
periodic<Period, Observers...> every(Period period, Observers... observers) {
  static_assert(
      requires { period.count > 0; },
      "gossip::every: the period must have a unit and stand first: every(epochs{1}, "
      "...) or every(rounds{10}, ...). See docs/policies/observer.md");
  if (!(period.count > 0)) throw input_error("every", "a period above 0", "0 or less");
  return {period, {std::move(observers)...}};
}

}  // namespace gossip
