// Threads of TBB for one loop at a time. The loop ends when all its indices are done, and not when
// every thread has come by: a loop does not wait for a thread that gets no core.
#pragma once

#include <tbb/global_control.h>
#include <tbb/task_arena.h>
#include <thrust/for_each.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/system/tbb/execution_policy.h>

#include <cstddef>
#include <memory>
#include <mutex>

#include <gossip/backend/cpu/thread_work.hpp>

namespace gossip::detail {

/// Keeps TBB's limit on threads at the sum over all teams of the process, or above: without teams
/// it is the number of cores. The least of all limits holds, so a lower limit of the user's stays
/// in force.
class tbb_limit {
 public:
  explicit tbb_limit(std::size_t threads) : beside_(threads - 1) { change(beside_, 0); }
  ~tbb_limit() { change(0, beside_); }
  tbb_limit(tbb_limit const &) = delete;
  tbb_limit &operator=(tbb_limit const &) = delete;

 private:
  using control = tbb::global_control;

  struct of_process {
    std::mutex lock;
    std::size_t beside = 0;  // threads that help one that begins a loop
    std::size_t usual = 0;   // TBB's limit without ours
    std::unique_ptr<control> ours;
  };

  static void change(std::size_t more, std::size_t fewer) {
    static of_process all;
    std::lock_guard const turn(all.lock);
    all.beside += more;
    all.beside -= fewer;
    if (!all.ours) all.usual = control::active_value(control::max_allowed_parallelism);
    std::unique_ptr<control> next;
    if (all.beside + 1 > all.usual)
      next = std::make_unique<control>(control::max_allowed_parallelism, all.beside + 1);
    all.ours.swap(next);  // the new one is there before the old one goes: no team loses threads
  }

  std::size_t beside_;
};

/// An arena of TBB for one team: threads that wait in it take no tasks of other loops.
class tbb_team {
 public:
  explicit tbb_team(std::size_t threads) : limit_(threads), arena_(static_cast<int>(threads)) {}

  /// f(k) for every k below count, at most the threads of the team: on as many threads at once.
  void each(std::size_t count, thread_work const &f) {
    arena_.execute([&] {
      thrust::for_each(thrust::tbb::par, thrust::counting_iterator<std::size_t>(0),
                       thrust::counting_iterator<std::size_t>(count), f);
    });
  }

 private:
  tbb_limit limit_;
  tbb::task_arena arena_;
};

}  // namespace gossip::detail
