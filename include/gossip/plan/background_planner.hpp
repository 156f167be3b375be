// Plans one window ahead on a thread of its own.
#pragma once

#include <time.h>

#include <algorithm>
#include <array>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <utility>

#include <gossip/plan/window.hpp>

namespace gossip {

/// Hands out the windows of a planner in order; while one is executed the next is being planned.
class background_planner {
 public:
  /// next(window, limit) fills a window, which ends where the plan has come to the limit, and says
  /// whether there was one; it is called on the thread. At the limit, in node-iterations that have
  /// ended, planning waits.
  explicit background_planner(std::function<bool(plan_window &, std::uint64_t limit)> next,
                              std::uint64_t limit = plan_window::no_limit)
      : next_(std::move(next)), limit_(limit), thread_([this] { work(); }) {}

  background_planner(background_planner const &) = delete;
  background_planner &operator=(background_planner const &) = delete;

  ~background_planner() {
    {
      std::lock_guard const lock(mutex_);
      ended_ = true;
    }
    changed_.notify_all();
    thread_.join();
  }

  /// The next window, or null at the limit and at the end of the plan; it stays until the next
  /// call. What the planner threw is thrown here.
  plan_window const *next();

  /// Raises the limit. Before next() has returned null at the old one, it is left to chance whether
  /// a window ends there.
  void go_on_to(std::uint64_t limit) {
    {
      std::lock_guard const lock(mutex_);
      limit_ = std::max(limit_, limit);
    }
    changed_.notify_all();
  }

  /// Whether next() has handed out the last window of the plan, so that its null is no limit's.
  bool over() const {
    std::lock_guard const lock(mutex_);
    return over_ && !failure_ && planned_ == taken_;
  }

  /// The answer to the last window's question is there: planning goes on.
  void answered() {
    {
      std::lock_guard const lock(mutex_);
      waits_for_answer_ = false;
    }
    changed_.notify_all();
  }

  /// Seconds of planning so far, in processor time of its thread.
  double planning_seconds() const {
    std::lock_guard const lock(mutex_);
    return planning_seconds_;
  }

 private:
  static double thread_seconds() {
    timespec t{};
    ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
  }

  /// Whether the windows so far come to the limit.
  bool at_limit() const { return reached_ >= limit_; }

  void work();

  std::function<bool(plan_window &, std::uint64_t limit)> next_;
  std::array<plan_window, 2> windows_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::exception_ptr failure_;
  std::size_t planned_ = 0, taken_ = 0, released_ = 0;
  std::uint64_t reached_ = 0, limit_;
  bool over_ = false, ended_ = false, waits_for_answer_ = false;
  double planning_seconds_ = 0;
  std::thread thread_;
};

}  // namespace gossip

#ifndef GOSSIP_COMPILED
#include <gossip/plan/detail/background_planner.ipp>
#endif
