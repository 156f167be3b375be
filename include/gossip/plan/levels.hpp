// Depths of the nodes' rows, from which every operation gets its level: operations of one level on
// different rows do not depend on each other, and running level after level gives what running the
// stream one operation at a time gives. Depths follow from what an operation reads and writes;
// what it computes does not matter.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <gossip/core/node.hpp>
#include <gossip/plan/operation.hpp>
#include <gossip/plan/row_list.hpp>

namespace gossip {

/// The depths of every node within a window; 0, the level without trainings, at its start. Depths
/// of writes and of other nodes' reads are kept apart: an operation that reads many nodes does not
/// lift them, and only a write must not overtake a read.
class depths {
 public:
  explicit depths(std::size_t nodes) : all_(nodes) {}

  void clear() {
    std::fill(all_.begin(), all_.end(), depth{});
    deepest_ = 0;
  }

  /// A training opens the next level of its node. Where it writes rows of the kind that others
  /// read, it comes after their reads.
  std::uint32_t train(node i, row_list rows) {
    depth &own = all_[i];
    bool const overtakes = own.read > own.written && (rows.written(false) & read_elsewhere_) == 0;
    std::uint32_t const level = 1 + (overtakes ? own.written : std::max(own.written, own.read));
    return lift(own, level);
  }

  /// Any other operation on one node.
  std::uint32_t touch(node i, row_list rows) {
    depth &own = all_[i];
    if (!rows.writes_first()) return own.written;
    return lift(own, std::max(own.written, own.read));
  }

  /// Any other operation on one node or two.
  std::uint32_t touch(node i, node j, row_list rows) {
    if (!rows.names_second()) return touch(i, rows);
    depth &first = all_[i], &second = all_[j];
    std::uint32_t level = std::max(first.written, second.written);
    if (rows.writes_first()) level = std::max(level, first.read);
    if (rows.writes_second()) {
      level = std::max(level, second.read);
      lift(second, level);
    } else {
      read_elsewhere_ |= rows.read(true);
      second.read = std::max(second.read, level);
    }
    return lift(first, level);
  }

  /// An operation on all nodes, before which and after which everything else stays.
  std::uint32_t touch_all() {
    std::fill(all_.begin(), all_.end(), depth{deepest_, deepest_});
    return deepest_;
  }

 private:
  /// The level of the last write, and of the last read by an operation on another node.
  struct depth {
    std::uint32_t written = 0, read = 0;
  };

  std::uint32_t lift(depth &own, std::uint32_t level) {
    deepest_ = std::max(deepest_, level);
    return own.written = level;
  }

  std::vector<depth> all_;  // (n)
  std::uint32_t deepest_ = 0;
  std::uint32_t read_elsewhere_ =
      0;  // slots, as bits, that some operation has read of a second node
};

}  // namespace gossip
