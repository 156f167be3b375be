// The most of a fleet that one lease has.
#pragma once

#include <cstddef>
#include <string>

#include <gossip/core/error.hpp>

namespace gossip {

struct lease_parts {
  static constexpr std::size_t all = static_cast<std::size_t>(-1);
  static constexpr std::size_t unit = 2048;  ///< columns; a block of op::reduction_tree

  std::size_t owners = all;  ///< of whole rows
  std::size_t columns =
      all;  ///< of the rows of all owners: a multiple of `unit`, at which parts end

  /// Throws input_error where nothing could be leased.
  void check() const {
    if (owners == 0) throw input_error("fleet: owners of a lease must be at least 1, got 0");
    if (columns != all && (columns == 0 || columns % unit != 0))
      throw input_error("fleet: columns of a lease", "a multiple of " + std::to_string(unit),
                        std::to_string(columns));
  }
};

}  // namespace gossip
