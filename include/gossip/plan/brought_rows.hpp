// Rows that nodes have received from others: what several operations read is sent once.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <set>
#include <unordered_set>

#include <gossip/core/node.hpp>
#include <gossip/plan/fragment.hpp>
#include <gossip/plan/row_list.hpp>

namespace gossip {

/// A row that a node has received stays with it while reductions, computations and functions of
/// columns follow each other in the plan and none of them writes rows of that slot.
class brought_rows {
 public:
  /// An operation of this number in the plan begins, and writes slots, as bits.
  void begin(std::uint64_t at, std::uint32_t written) {
    if (at != end_ || (written & slots_) != 0) {
      for (auto &of_slot : received_)
        if (!of_slot.empty()) of_slot.clear();
      fragments_.clear();
      slots_ = 0;
    }
    end_ = at + 1;
  }

  /// Nothing stays with anybody.
  void forget() { end_ = nowhere; }

  /// Whether a row of node j has to be sent to node i for it.
  bool brings(node i, node j, std::uint8_t slot) {
    slots_ |= 1U << slot;
    return received_[slot].insert(std::uint64_t{i} << 32 | j).second;
  }
  /// The same of a fragment of the row.
  bool brings(node i, node j, std::uint8_t slot, fragment const &only) {
    slots_ |= 1U << slot;
    return !received_[slot].contains(std::uint64_t{i} << 32 | j) &&
           fragments_.insert({i, j, slot, only.first, only.count}).second;
  }

 private:
  static constexpr std::uint64_t nowhere = std::numeric_limits<std::uint64_t>::max();

  std::uint64_t end_ = nowhere;
  std::uint32_t slots_ = 0;  // of rows received, as bits
  std::array<std::unordered_set<std::uint64_t>, row_list::most_slots> received_;  // node, sender
  std::set<std::array<std::size_t, 5>> fragments_;  // node, sender, slot, first column, count
};

}  // namespace gossip
