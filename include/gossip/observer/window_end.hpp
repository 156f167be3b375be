// A run between two windows of its plan, when nothing is at work: what observers may save.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>

#include <gossip/core/named_state.hpp>
#include <gossip/plan/operation.hpp>

namespace gossip {

/// Valid while it is observed. On ranks all are asked at the same windows; each names what it
/// holds, and all have to do so at once.
struct window_end {
  std::uint64_t windows;  ///< executed so far
  progress_mark mark;
  std::function<void(state_visitor const &)> name_state;
  std::size_t rank = 0, ranks = 1;
  progress_mark begun = {};         ///< of the state from which this process has gone on,
  std::uint64_t begun_windows = 0;  ///< and its windows; 0: it has begun anew
  bool has_room = false;            ///< on all ranks memory is counted for a copy of the state
  bool last = false;                ///< the run is over
  /// True where its argument is true on a rank; all ranks have to ask.
  std::function<bool(bool)> any = [](bool here) { return here; };

  /// A copy of all that the run needs to go on, see run_settings::state.
  named_state state() const { return named_state::of(name_state); }
};

}  // namespace gossip
