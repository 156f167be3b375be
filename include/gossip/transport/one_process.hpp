// The transport of a run in one process: there is nobody to talk to.
#pragma once

#include <cstddef>
#include <cstdint>

namespace gossip {

/// What a simulator has where no transport is among its options.
struct one_process {
  static constexpr bool spans_ranks = false;

  static constexpr std::size_t size() { return 1; }
  static constexpr std::size_t on_this_machine() { return 1; }
  static constexpr std::size_t alike(std::uint64_t) { return 1; }

  /// What build() makes.
  template <class Build>
  static auto share(Build build) {
    return build();
  }
};

}  // namespace gossip
