// Definitions of plan/background_planner.hpp.
#pragma once

#include <gossip/plan/background_planner.hpp>

#include <gossip/core/inline.hpp>

namespace gossip {

GOSSIP_INLINE plan_window const *background_planner::next() {
  std::unique_lock lock(mutex_);
  released_ = taken_;
  changed_.notify_all();
  changed_.wait(lock, [this] { return planned_ > taken_ || over_ || at_limit(); });
  if (planned_ > taken_) return &windows_[taken_++ % 2];
  if (failure_) std::rethrow_exception(failure_);
  return nullptr;
}

GOSSIP_INLINE void background_planner::work() {
  for (;;) {
    std::uint64_t limit = 0;
    {
      std::unique_lock lock(mutex_);
      changed_.wait(lock, [this] {
        return (planned_ < released_ + 2 && !waits_for_answer_ && !at_limit()) || ended_;
      });
      if (ended_) return;
      limit = limit_;
    }
    plan_window &window = windows_[planned_ % 2];
    bool more = false;
    try {
      more = next_(window, limit);
    } catch (...) {
      failure_ = std::current_exception();
    }
    std::lock_guard const lock(mutex_);
    planning_seconds_ = thread_seconds();
    waits_for_answer_ = more && window.asks.has_value();
    over_ = !more || window.is_last();
    if (more) {
      reached_ = window.end.node_iterations;
      ++planned_;
    }
    changed_.notify_all();
    if (over_) return;
  }
}

}  // namespace gossip
