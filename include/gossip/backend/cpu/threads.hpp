// Loops on the threads of the host (Thrust's OpenMP system), for backends and beside a device.
#pragma once

#include <omp.h>
#include <thrust/for_each.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/system/omp/execution_policy.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <exception>

#include <gossip/backend/cpu/denormals.hpp>
#include <gossip/backend/cpu/one_thread_region.hpp>

namespace gossip {

/// All cores of the host, or the given number of threads.
struct host_threads {
  std::size_t threads = 0;  ///< 0: as many as OpenMP would start

  std::size_t workers() const {
    return threads ? threads : static_cast<std::size_t>(omp_get_max_threads());
  }

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
    std::size_t const team = std::min(workers(), count);
    if (team <= 1) {
      work(0);
    } else {
      int const before = omp_get_max_threads();
      omp_set_num_threads(static_cast<int>(team));
      thrust::for_each(thrust::omp::par, thrust::counting_iterator<std::size_t>(0),
                       thrust::counting_iterator<std::size_t>(team), work);
      omp_set_num_threads(before);
    }
    if (failure) std::rethrow_exception(failure);
  }
};

}  // namespace gossip
