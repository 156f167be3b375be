// The threads that stand ready for the loops of a run.
#pragma once

#include <cstddef>
#include <memory>

#include <gossip/backend/cpu/thread_work.hpp>

namespace gossip {

namespace detail {

class team_threads;  // of one team

}  // namespace detail

/// A team of threads that is kept between loops: while the team lives, loops of the thread that
/// made it run on the team.
class thread_team {
 public:
  explicit thread_team(std::size_t threads);
  ~thread_team();
  thread_team(thread_team const &) = delete;
  thread_team &operator=(thread_team const &) = delete;

  /// f(k) for every k below count, on `count` threads at once: threads of the calling thread's team
  /// where it has enough, else of a team that is made for this loop.
  template <class F>
  static void each(std::size_t count, F const &f) {
    run(count, detail::thread_work(f));
  }

 private:
  static void run(std::size_t count, detail::thread_work const &work);
  static thread_team *&of_this_thread();

  std::size_t threads_;
  std::unique_ptr<detail::team_threads> team_;
  thread_team *before_;
};

}  // namespace gossip

#ifndef GOSSIP_COMPILED
#include <gossip/backend/cpu/detail/thread_team.ipp>
#endif
