// The threads that stand ready for the loops of a run.
#pragma once

#include <cstddef>
#include <type_traits>
#include <utility>

#include <gossip/backend/cpu/std_thread_team.hpp>
#include <gossip/backend/cpu/tbb_team.hpp>

namespace gossip {

/// A team of threads that is kept between loops: while the team lives, loops of the thread that
/// made it run on the team.
class thread_team {
 public:
  explicit thread_team(std::size_t threads)
      : threads_(threads), team_(threads), before_(std::exchange(of_this_thread(), this)) {}
  ~thread_team() { of_this_thread() = before_; }
  thread_team(thread_team const &) = delete;
  thread_team &operator=(thread_team const &) = delete;

  /// f(k) for every k below count, on `count` threads at once: threads of the calling thread's team
  /// where it has enough, else of a team that is made for this loop.
  template <class F>
  static void each(std::size_t count, F const &f) {
    thread_team *const ready = of_this_thread();
    if (ready && ready->threads_ >= count) return ready->team_.each(count, f);
    thread_team(count).team_.each(count, f);
  }

 private:
  using team_type =
      std::conditional_t<detail::sanitizes_threads, detail::std_thread_team, detail::tbb_team>;

  static thread_team *&of_this_thread() {
    thread_local thread_team *team = nullptr;
    return team;
  }

  std::size_t threads_;
  team_type team_;
  thread_team *before_;
};

}  // namespace gossip
