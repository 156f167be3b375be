// Definitions of backend/cpu/thread_team.hpp.
#pragma once

#include <gossip/backend/cpu/thread_team.hpp>

#include <type_traits>
#include <utility>

#include <gossip/backend/cpu/std_thread_team.hpp>
#include <gossip/backend/cpu/tbb_team.hpp>
#include <gossip/core/inline.hpp>

namespace gossip {

namespace detail {

class team_threads {
 public:
  explicit team_threads(std::size_t threads) : team_(threads) {}
  void each(std::size_t count, thread_work const &work) { team_.each(count, work); }

 private:
  std::conditional_t<sanitizes_threads, std_thread_team, tbb_team> team_;
};

}  // namespace detail

GOSSIP_INLINE thread_team::thread_team(std::size_t threads)
    : threads_(threads),
      team_(std::make_unique<detail::team_threads>(threads)),
      before_(std::exchange(of_this_thread(), this)) {}

GOSSIP_INLINE thread_team::~thread_team() {
  of_this_thread() = before_;
}

GOSSIP_INLINE void thread_team::run(std::size_t count, detail::thread_work const &work) {
  thread_team *const ready = of_this_thread();
  if (ready && ready->threads_ >= count) return ready->team_->each(count, work);
  thread_team(count).team_->each(count, work);
}

GOSSIP_INLINE thread_team *&thread_team::of_this_thread() {
  thread_local thread_team *team = nullptr;
  return team;
}

}  // namespace gossip
