// The windows of a planner, with the ends of a run that was advanced in pieces.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include <gossip/plan/window.hpp>

namespace gossip::detail {

/// A planner whose windows end at the limits of a list, and at the limit that its caller names.
struct paused_source {
  std::function<bool(plan_window &, std::uint64_t limit)> next;  ///< of the planner
  std::vector<std::uint64_t> pauses = {};                        ///< limits, ascending
  std::size_t passed = 0;                                        ///< number of pauses passed

  bool operator()(plan_window &window, std::uint64_t limit) {
    if (passed < pauses.size()) limit = std::min(limit, pauses[passed]);
    if (!next(window, limit)) return false;
    while (passed < pauses.size() && window.end.node_iterations >= pauses[passed]) ++passed;
    return true;
  }
};

}  // namespace gossip::detail
