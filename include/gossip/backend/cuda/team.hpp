// A team of op/whole_row.hpp that is a block of a GPU's threads.
#pragma once

#if !defined(__CUDACC__) && !defined(GOSSIP_CUDA_STAND_IN)  // of the tests
#error "gossip/backend/cuda/team.hpp is for nvcc; on the host a team is gossip::op::one_thread"
#endif

#include <cuda_runtime.h>

#include <cstddef>

namespace gossip::device {

/// The threads of a block. The host's half of a function is never called.
struct team {
  static constexpr unsigned threads = 256;

  unsigned long long *sums;  // (threads) in shared memory

  template <class F>
  constexpr void each([[maybe_unused]] std::size_t count, [[maybe_unused]] F f) const {
#ifdef __CUDA_ARCH__
    __syncthreads();  // all have read what f may change
    for (std::size_t i = threadIdx.x; i < count; i += threads) f(i);
    __syncthreads();
#endif
  }

  template <class P>
  constexpr std::size_t count([[maybe_unused]] std::size_t count, [[maybe_unused]] P p) const {
#ifdef __CUDA_ARCH__
    unsigned long long own = 0;
    for (std::size_t i = threadIdx.x; i < count; i += threads) own += p(i) ? 1 : 0;
    sums[threadIdx.x] = own;
    __syncthreads();
    for (unsigned half = threads / 2; half > 0; half /= 2) {
      if (threadIdx.x < half) sums[threadIdx.x] += sums[threadIdx.x + half];
      __syncthreads();
    }
    std::size_t const all = sums[0];
    __syncthreads();  // before the next call writes there
    return all;
#else
    return 0;
#endif
  }
};

#ifdef __CUDACC__
inline constexpr std::size_t most_teams = 65535;  // at a time

/// f(team, index) for every index below count.
template <class F>
__global__ void run_teams(std::size_t count, F f) {
  __shared__ unsigned long long sums[team::threads];
  for (std::size_t k = blockIdx.x; k < count; k += gridDim.x) f(team{sums}, k);
}
#endif

}  // namespace gossip::device
