// Depths of row groups, from which every operation gets its level: operations of one level on
// different groups do not depend on each other, and running level after level gives what running
// the stream one operation at a time gives.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <gossip/core/node.hpp>

namespace gossip {

/// The depth of every node's rows within a window; 0, the level without trainings, at its start.
class depths {
 public:
  explicit depths(std::size_t nodes) : depth_(nodes, 0) {}

  void clear() {
    std::fill(depth_.begin(), depth_.end(), 0);
    deepest_ = 0;
  }

  /// A training opens the next level of its node.
  std::uint32_t train(node i) {
    deepest_ = std::max(deepest_, ++depth_[i]);
    return depth_[i];
  }

  /// A light operation on one node.
  std::uint32_t touch(node i) const { return depth_[i]; }

  /// A light operation on two nodes lifts both, also the one it only reads: a later, shallower
  /// write must not overtake the read.
  std::uint32_t touch(node i, node j) {
    return depth_[i] = depth_[j] = std::max(depth_[i], depth_[j]);
  }

  /// A light operation on all nodes.
  std::uint32_t touch_all() {
    std::fill(depth_.begin(), depth_.end(), deepest_);
    return deepest_;
  }

 private:
  std::vector<std::uint32_t> depth_;  // (n)
  std::uint32_t deepest_ = 0;
};

}  // namespace gossip
