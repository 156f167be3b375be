// Staleness of gradients, from record to record.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <span>

#include <gossip/core/named_state.hpp>
#include <gossip/observer/record.hpp>
#include <gossip/plan/operation.hpp>
#include <gossip/plan/staleness.hpp>
#include <gossip/plan/window.hpp>

namespace gossip {

/// Adds `staleness` to a record: of the gradients applied since the record before, the mean number
/// of times that the model changed between a gradient and its application, as planned_staleness
/// counts them. Nothing where none has been applied. It follows from the plan alone, and takes 40
/// bytes a node.
class gradient_staleness {
 public:
  void planned(plan_window const &window, std::size_t nodes) {
    if (!counted_) counted_.emplace(nodes);
    std::span<operation const> rest(window.stream);
    for (observation const &o : window.observations) {
      auto const at = std::ranges::find(rest, operation_kind::observe, &operation::kind);
      auto const before = static_cast<std::size_t>(at - rest.begin());
      counted_->count(window, rest.first(before));
      rest = rest.subspan(before + 1);
      ahead_.push_back({o.mark.node_iterations, so_far()});
    }
    counted_->count(window, rest);
  }

  template <class Context>
  void measure(Context &, record &r) {
    sums const known = taken_;
    for (; !ahead_.empty() && ahead_.front().node_iterations <= r.mark.node_iterations;
         ahead_.pop_front())
      if (ahead_.front().then.gradients > taken_.gradients) taken_ = ahead_.front().then;
    if (taken_.gradients == known.gradients) return;
    r.set("staleness", static_cast<double>(taken_.staleness - known.staleness) /
                           static_cast<double>(taken_.gradients - known.gradients));
  }

  void name_state(state_visitor const &visit) {
    visit.value("gradient_staleness/gradients", taken_.gradients);
    visit.value("gradient_staleness/staleness", taken_.staleness);
  }

 private:
  struct sums {
    std::uint64_t gradients = 0, staleness = 0;
  };
  struct planned_observation {
    std::uint64_t node_iterations;
    sums then;
  };

  sums so_far() const { return {counted_->counts().total(), counted_->counts().sum()}; }

  std::optional<planned_staleness> counted_;
  std::deque<planned_observation> ahead_;  // of windows that are executed now
  sums taken_;                             // at the record before
};

}  // namespace gossip
