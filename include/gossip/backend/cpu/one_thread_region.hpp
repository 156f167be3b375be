// OpenMP held at one thread where a core already has its work.
#pragma once

#include <omp.h>

namespace gossip::detail {

/// OpenMP regions that begin on this thread have one thread while it lives: a library built on
/// OpenMP takes as many as the next region would have.
class one_thread_region {
 public:
  one_thread_region() : before_(omp_get_max_threads()) { omp_set_num_threads(1); }
  ~one_thread_region() { omp_set_num_threads(before_); }
  one_thread_region(one_thread_region const &) = delete;
  one_thread_region &operator=(one_thread_region const &) = delete;

 private:
  int before_;
};

}  // namespace gossip::detail
