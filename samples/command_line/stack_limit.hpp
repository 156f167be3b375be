// The stack that a program needs, for processes whose stacks are limited (ulimit -s).
#pragma once

#include <sys/resource.h>

#include <cstddef>
#include <string>

#include <gossip/core/error.hpp>

namespace command_line {

/// Bytes of the first thread's stack that a run takes at most: functions keep what is large on the
/// heap, and what is left are the system's libraries.
inline constexpr std::size_t least_stack = std::size_t{64} << 10;

/// Throws input_error where the limit is below that: the program would end without a sentence.
inline void require_stack() {
  rlimit limit{};
  if (getrlimit(RLIMIT_STACK, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return;
  if (limit.rlim_cur < least_stack)
    throw gossip::input_error(
        "stack", "a limit of at least " + std::to_string(least_stack >> 10) + " KiB (ulimit -s)",
        std::to_string(limit.rlim_cur >> 10) + " KiB");
}

}  // namespace command_line
