// The work of the threads of a team.
#pragma once

#include <cstddef>

namespace gossip::detail {

/// A reference to a function of a thread's number: teams are compiled once for all functions.
class thread_work {
 public:
  template <class F>
  explicit thread_work(F const &f)
      : function_(&f),
        call_([](void const *function, std::size_t k) { (*static_cast<F const *>(function))(k); }) {
  }

  void operator()(std::size_t k) const { call_(function_, k); }

 private:
  void const *function_;
  void (*call_)(void const *, std::size_t);
};

}  // namespace gossip::detail
