// Loops on the threads of the host (Thrust's TBB system), for backends and beside a device.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <exception>

#include <gossip/backend/cpu/denormals.hpp>
#include <gossip/backend/cpu/library_threads.hpp>
#include <gossip/backend/cpu/thread_count.hpp>
#include <gossip/backend/cpu/thread_team.hpp>

namespace gossip {

/// All cores of the host, or the given number of threads.
struct host_threads {
  std::size_t threads = 0;  ///< 0: usual_threads()

  std::size_t workers() const { return threads ? threads : usual_threads(); }

  /// f(worker number, index) for every index below count, each once, whichever thread is free.
  /// An exception ends the loop and is thrown again here.
  template <class F>
  void for_each(std::size_t count, F f) const {
    std::atomic<std::size_t> next{0};
    std::exception_ptr failure;
    std::atomic<bool> failed{false};
    auto const work = [&](std::size_t worker_number) {
      flushed_denormals const flushed;
      detail::one_thread_region const one_thread;
      try {
        for (std::size_t i; !failed && (i = next++) < count;) f(worker_number, i);
      } catch (...) {
        if (!failed.exchange(true)) failure = std::current_exception();
      }
    };
    std::size_t const team = count > 1 ? std::min(workers(), count) : 1;
    if (team > 1)
      thread_team::each(team, work);
    else
      work(0);
    if (failure) std::rethrow_exception(failure);
  }
};

}  // namespace gossip
