// Threads of the standard library for one loop, in the place of TBB's under the thread sanitizer:
// the sanitizer sees what these threads are handed, and nothing of a library compiled without it.
#pragma once

#include <cstddef>
#include <thread>
#include <vector>

#include <gossip/backend/cpu/thread_work.hpp>

namespace gossip::detail {

/// True where the program is compiled with -fsanitize=thread.
inline constexpr bool sanitizes_threads =
#if defined(__SANITIZE_THREAD__)
    true;
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
    true;
#else
    false;
#endif
#else
    false;
#endif

/// Threads of the standard library, begun anew for each loop.
class std_thread_team {
 public:
  explicit std_thread_team(std::size_t) {}

  /// f(k) for every k below count, each on a thread of its own.
  void each(std::size_t count, thread_work const &f) {
    std::vector<std::jthread> beside;
    for (std::size_t k = 1; k < count; ++k) beside.emplace_back([&f, k] { f(k); });
    f(0);
  }
};

}  // namespace gossip::detail
