// The transport of a run in one process: there is nobody to talk to.
#pragma once

namespace gossip {

/// What a simulator has where no transport is among its options.
struct one_process {
  static constexpr bool spans_ranks = false;
};

}  // namespace gossip
