// Definitions of backend/cpu/threads.hpp.
#pragma once

#include <gossip/backend/cpu/threads.hpp>

#include <algorithm>

#include <gossip/backend/cpu/denormals.hpp>
#include <gossip/backend/cpu/library_threads.hpp>
#include <gossip/core/inline.hpp>

namespace gossip::detail {

GOSSIP_INLINE void shared_loop::run(std::size_t threads, thread_work const &work) {
  auto const guarded = [&](std::size_t worker_number) {
    flushed_denormals const flushed;
    one_thread_region const one_thread;
    try {
      work(worker_number);
    } catch (...) {
      if (!failed_.exchange(true)) failure_ = std::current_exception();
    }
  };
  std::size_t const team = count_ > 1 ? std::min(threads, count_) : 1;
  if (team > 1)
    thread_team::each(team, guarded);
  else
    guarded(0);
  if (failure_) std::rethrow_exception(failure_);
}

}  // namespace gossip::detail
