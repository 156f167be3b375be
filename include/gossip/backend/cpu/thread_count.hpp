// The number of threads of a loop where nobody has given one.
#pragma once

#include <cstddef>

namespace gossip {

/// More threads for one loop are taken for a mistake.
inline constexpr std::size_t most_threads = 1024;

/// The first number of OMP_NUM_THREADS, which batch systems set, or without it the number of cores
/// that the process may run on. Throws gossip::error where the variable does not begin with a
/// number from 1 to most_threads.
std::size_t usual_threads();

}  // namespace gossip

#ifndef GOSSIP_COMPILED
#include <gossip/backend/cpu/detail/thread_count.ipp>
#endif
