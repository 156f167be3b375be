// Row operations of a device: side by side where none is after another, else in their order.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include <gossip/core/node.hpp>
#include <gossip/fleet/fleet.hpp>
#include <gossip/plan/operation.hpp>
#include <gossip/plan/row_uses.hpp>

namespace gossip {

/// Parts of programs: a part an operation where their nodes are distinct, else one part, with all
/// operations in their order.
class device_row_operations {
 public:
  explicit device_row_operations(fleet_size const &size)
      : shared_(size.shared), named_(size.numbers_of_owners()) {}

  /// Bytes in memory of the host.
  static std::size_t bytes(fleet_size const &size) {
    return size.numbers_of_owners() * sizeof(std::uint64_t);
  }

  /// Number of parts of a program (device_op::program) of `count` of these operations.
  std::size_t parts(std::span<operation const> operations, std::size_t count) {
    return !shared_ && nodes_are_distinct(operations) ? count : 1;
  }

 private:
  /// Distinctness of nodes: none is named by two operations.
  bool nodes_are_distinct(std::span<operation const> operations) {
    ++look_;
    auto const is_new = [&](node i) { return std::exchange(named_[i], look_) != look_; };
    return std::ranges::all_of(operations, [&](operation const &o) {
      if (!uses_of(o).of_two_owners()) return false;
      return is_new(o.a) && (!o.rows.names_second() || is_new(o.b()));
    });
  }

  bool shared_;
  std::vector<std::uint64_t> named_;  // (owners + borrowed) the last look that named it
  std::uint64_t look_ = 0;            // number of lists looked at
};

}  // namespace gossip
