// Depths of the nodes' rows, from which every operation gets its level: operations of one level on
// different rows do not depend on each other, and running level after level gives what running the
// stream one operation at a time gives. Depths follow from what an operation reads and writes;
// what it computes does not matter.
//
// A scalar is finished when all columns have been summed, so an operation that reads it needs a
// later pass over the columns: a stage of the level. Where a window has scalars, a depth is level *
// 256 + stage: a reader is a stage behind its scalar, a training opens the next level at stage 0.
// Operations that make scalars or work on whole rows are the last of their stage and do not depend
// on each other; a writer of a row that they read, or a reader of one that they write, is a stage
// behind them, too. More than 256 stages run on into the next level, before whose row operations
// its trainings come, of nodes that are not so deep.
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
    within_ = 0;
    next_ = 1;
  }

  static constexpr std::uint32_t stages = 256;  ///< of a level

  /// From now on levels have stages, depths so far are those of stage 0.
  void begin_stages() {
    if (next_ == stages) return;
    for (depth &own : all_) own = {own.written * stages, own.read * stages};
    deepest_ *= stages;
    within_ = stages - 1;
    next_ = stages;
  }

  /// A training opens the next level of its node. Where it writes rows of the kind that others
  /// read, it comes after their reads.
  std::uint32_t train(node i, row_list rows) {
    depth &own = all_[i];
    bool const overtakes = own.read > own.written && (rows.written(false) & read_elsewhere_) == 0;
    std::uint32_t const before = overtakes ? own.written : std::max(own.written, own.read);
    return lift(own, (before & ~within_) + next_);
  }

  /// Rows of one node or two are reduced to a scalar, at the end of the stage.
  std::uint32_t reduce(node i, node j, row_list rows) {
    bool const two = rows.names_second();
    std::uint32_t const level = two ? std::max(all_[i].written, all_[j].written) : all_[i].written;
    all_[i].read = std::max(all_[i].read, level + 1);
    if (two) all_[j].read = std::max(all_[j].read, level + 1);
    read_elsewhere_ |= rows.read(false) | rows.read(true);
    deepest_ = std::max(deepest_, level + 1);
    return level;
  }

  /// Whole rows of node i change at the end of a stage, not before a depth; of node j, where the
  /// list names a second, rows are read.
  std::uint32_t change(std::uint32_t first_depth, node i, node j, row_list rows) {
    depth &own = all_[i];
    std::uint32_t level = std::max({first_depth, own.written, own.read});
    if (rows.names_second()) {
      level = std::max(level, all_[j].written);
      all_[j].read = std::max(all_[j].read, level + 1);
      read_elsewhere_ |= rows.read(true);
    }
    own.read = std::max(own.read, level + 1);
    lift(own, level + 1);
    return level;
  }

  /// An operation on rows of a node that it writes, and maybe of another that it reads; not before
  /// a depth.
  std::uint32_t touch_from(std::uint32_t first_depth, node i, node j, row_list rows) {
    all_[i].written = std::max(all_[i].written, first_depth);
    return touch(i, j, rows);
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
  std::uint32_t within_ = 0, next_ = 1;  // the bits of a stage, and a level
  std::uint32_t read_elsewhere_ =
      0;  // slots, as bits, that some operation has read of a second node
};

}  // namespace gossip
