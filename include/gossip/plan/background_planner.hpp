// Plans one window ahead on a thread of its own.
#pragma once

#include <time.h>

#include <array>
#include <condition_variable>
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
  /// next(window) fills a window and says whether there was one; it is called on the thread.
  explicit background_planner(std::function<bool(plan_window &)> next)
      : next_(std::move(next)), thread_([this] { work(); }) {}

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

  /// The next window, or null at the end of the plan; it stays until the next call. What the
  /// planner threw is thrown here.
  plan_window const *next() {
    std::unique_lock lock(mutex_);
    if (taken_ > 0) ++released_;
    changed_.notify_all();
    changed_.wait(lock, [this] { return planned_ > taken_ || over_; });
    if (planned_ > taken_) return &windows_[taken_++ % 2];
    if (failure_) std::rethrow_exception(failure_);
    return nullptr;
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
  double planning_seconds() {
    std::lock_guard const lock(mutex_);
    return planning_seconds_;
  }

 private:
  static double thread_seconds() {
    timespec t{};
    ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
  }

  void work() {
    for (;;) {
      {
        std::unique_lock lock(mutex_);
        changed_.wait(
            lock, [this] { return (planned_ < released_ + 2 && !waits_for_answer_) || ended_; });
        if (ended_) return;
      }
      bool more = false;
      try {
        more = next_(windows_[planned_ % 2]);
      } catch (...) {
        failure_ = std::current_exception();
      }
      std::lock_guard const lock(mutex_);
      planning_seconds_ = thread_seconds();
      waits_for_answer_ = more && windows_[planned_ % 2].asks.has_value();
      if (more)
        ++planned_;
      else
        over_ = true;
      changed_.notify_all();
      if (over_) return;
    }
  }

  std::function<bool(plan_window &)> next_;
  std::array<plan_window, 2> windows_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::exception_ptr failure_;
  std::size_t planned_ = 0, taken_ = 0, released_ = 0;
  bool over_ = false, ended_ = false, waits_for_answer_ = false;
  double planning_seconds_ = 0;
  std::thread thread_;
};

}  // namespace gossip
