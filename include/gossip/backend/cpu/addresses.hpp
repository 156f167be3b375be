// Room for the buffers of BLAS where the addresses of a process are limited (ulimit -v).
#pragma once

#include <sys/mman.h>
#include <sys/resource.h>

#include <cstddef>
#include <string>

#include <gossip/core/error.hpp>

namespace gossip::blas {

/// Addresses that OpenBLAS takes for a thread that computes a product; x86-64.
inline constexpr std::size_t buffer_bytes = std::size_t{128} << 20;

/// For its code, and for stacks and heaps of threads that begin beside it.
inline constexpr std::size_t own_bytes = std::size_t{48} << 20;

/// Throws gossip::error where the limit leaves no room for the buffers of so many threads: OpenBLAS
/// waits for ever for one that it does not get (OpenMathLib/OpenBLAS, issue 5289). Nothing is asked
/// of a process without a limit.
inline void require_addresses(std::size_t threads) {
  rlimit limit{};
  if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return;
  std::size_t const bytes = threads * buffer_bytes + own_bytes;
  void *const there = mmap(nullptr, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (there != MAP_FAILED) {
    munmap(there, bytes);
    return;
  }
  auto const megabytes = [](std::size_t count) { return std::to_string(count >> 20) + " MB"; };
  throw error(
      "memory: BLAS takes " + megabytes(buffer_bytes) + " of addresses for each thread, and for " +
      std::to_string(threads) + (threads == 1 ? " thread" : " threads") + " the limit of " +
      megabytes(limit.rlim_cur) + " (ulimit -v) leaves no room; raise it, or take fewer threads");
}

}  // namespace gossip::blas
