// Loops on the threads of the host (Thrust's TBB system), for backends and beside a device.
#pragma once

#include <atomic>
#include <cstddef>
#include <exception>

#include <gossip/backend/cpu/thread_count.hpp>
#include <gossip/backend/cpu/thread_team.hpp>

namespace gossip {

namespace detail {

/// The indices of a loop, which threads take as they are free.
class shared_loop {
 public:
  explicit shared_loop(std::size_t count) : count_(count) {}

  /// The next index; false where none is left, or a thread has failed.
  bool take(std::size_t &index) { return !failed_ && (index = next_++) < count_; }

  /// Does the work on `threads` threads, or on one an index where the loop has fewer indices. A
  /// thread at work flushes denormals, and its regions of OpenMP have one thread. Throws the first
  /// exception of a thread.
  void run(std::size_t threads, thread_work const &work);

 private:
  std::size_t count_;
  std::atomic<std::size_t> next_{0};
  std::atomic<bool> failed_{false};
  std::exception_ptr failure_;
};

}  // namespace detail

/// All cores of the host, or the given number of threads.
struct host_threads {
  std::size_t threads = 0;  ///< 0: usual_threads()

  std::size_t workers() const { return threads ? threads : usual_threads(); }

  /// f(worker number, index) for every index below count, each once, whichever thread is free.
  /// An exception ends the loop and is thrown again here.
  template <class F>
  void for_each(std::size_t count, F f) const {
    detail::shared_loop loop(count);
    auto const work = [&](std::size_t worker_number) {
      for (std::size_t i; loop.take(i);) f(worker_number, i);
    };
    loop.run(workers(), detail::thread_work(work));
  }
};

}  // namespace gossip

#ifndef GOSSIP_COMPILED
#include <gossip/backend/cpu/detail/threads.ipp>
#endif
