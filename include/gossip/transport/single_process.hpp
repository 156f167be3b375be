// The transport of a run in one process.
#pragma once

#include <cstddef>
#include <cstdint>

#include <gossip/transport/transport.hpp>

namespace gossip {

/// The transport of a simulator that has none among its options.
struct single_process {
  static constexpr bool spans_ranks = false;

  static constexpr std::size_t size() { return 1; }
  static constexpr std::size_t local_size() { return 1; }
  static constexpr std::size_t count_equal(std::uint64_t) { return 1; }

  /// The result of build().
  template <class Build>
  static auto from_root(Build build) {
    return build();
  }
};

static_assert(transport<single_process>);

}  // namespace gossip
