// The end of what a node does or waits for.
#pragma once

#include <gossip/clock/activity_graph.hpp>
#include <gossip/core/node.hpp>

namespace gossip {

/// The end of something that a node does or waits for: a time, or an activity whose time is not
/// known yet.
struct completion {
  virtual_time at{0};
  activity what{};
};

}  // namespace gossip
