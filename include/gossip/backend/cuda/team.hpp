// A team of op/whole_row.hpp that is a block of a GPU's threads.
#pragma once

#if !defined(__CUDACC__) && !defined(GOSSIP_CUDA_STAND_IN)  // of the tests
#error "gossip/backend/cuda/team.hpp is for nvcc; on the host a team is gossip::op::one_thread"
#endif

#include <cuda_runtime.h>

#include <cstddef>
#include <vector>

#include <gossip/core/repeat.hpp>
#include <gossip/op/row_reduction.hpp>
#include <gossip/op/whole_row.hpp>

namespace gossip::device {

/// The threads of a block, a power of two of them. The host's half of a function is never called.
template <unsigned Threads>
struct team {
  static constexpr unsigned threads = Threads;

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

  /// Blocks of the tree at a time: a thread adds a lane of one.
  template <class Term>
  constexpr double sum([[maybe_unused]] std::size_t count, [[maybe_unused]] Term term) const {
#ifdef __CUDA_ARCH__
    constexpr std::size_t lanes = op::reduction_tree::lanes, wide = op::reduction_tree::block;
    constexpr std::size_t together = threads / lanes;  // a power of two: a subtree
    std::size_t const lane = threadIdx.x % lanes, own = threadIdx.x / lanes;
    std::size_t const blocks = op::reduction_tree::blocks(count);
    auto *const parts = reinterpret_cast<double *>(sums);
    op::sum_of_blocks subtrees;
    __syncthreads();  // all have written what terms may read
    for (std::size_t first = 0; first < blocks; first += together) {
      std::size_t const begin = (first + own) * wide;
      std::size_t const end = begin + wide < count ? begin + wide : count;
      constexpr std::size_t at_once = 8;  // terms that are read before the first is added
      double part = 0;
      std::size_t i = begin + lane;
      for (; i + (at_once - 1) * lanes < end; i += at_once * lanes) {
        double terms[at_once];
        repeat<at_once>([&](std::size_t k) { terms[k] = term(i + k * lanes); });
        repeat<at_once>([&](std::size_t k) { part += terms[k]; });
      }
      for (; i < end; i += lanes) part += term(i);
      parts[threadIdx.x] = part;
      __syncthreads();
      for (std::size_t half = lanes / 2; half > 0; half /= 2) {
        if (lane < half) parts[threadIdx.x] += parts[threadIdx.x + half];
        __syncthreads();
      }
      for (std::size_t step = 1; step < together; step *= 2) {
        if (lane == 0 && own % (2 * step) == 0 && first + own + step < blocks)
          parts[threadIdx.x] += parts[threadIdx.x + step * lanes];
        __syncthreads();
      }
      subtrees.add(parts[0]);
      __syncthreads();  // before the next blocks are written there
    }
    return subtrees.value();
#else
    return 0;
#endif
  }
};

#ifdef __CUDACC__
/// Blocks for so many teams, of which at most 65,535 are at work at a time.
constexpr unsigned blocks_of(std::size_t teams) {
  return static_cast<unsigned>(teams < 65'535 ? teams : 65'535);
}

/// f(team, index) for every index below count.
template <unsigned Threads, class F>
__global__ void __launch_bounds__(Threads) run_teams(std::size_t count, F f) {
  __shared__ unsigned long long sums[Threads];
  for (std::size_t k = blockIdx.x; k < count; k += gridDim.x) f(team<Threads>{sums}, k);
}

/// f(team, memory, index), memory being as many bytes of the block's own as the launch says.
template <unsigned Threads, class F>
__global__ void __launch_bounds__(Threads) run_teams_with_memory(std::size_t count, F f) {
  __shared__ unsigned long long sums[Threads];
  extern __shared__ __align__(16) unsigned char memory[];
  for (std::size_t k = blockIdx.x; k < count; k += gridDim.x)
    f(team<Threads>{sums}, reinterpret_cast<std::byte *>(memory), k);
}
#else
/// The same by a team of one thread; memory comes without numbers, as on a GPU: NaNs.
template <class F>
struct with_memory {
  std::size_t bytes;
  F f;

  void operator()(std::size_t k) const {
    std::vector<std::byte> memory(bytes, std::byte{0xff});
    f(op::one_thread{}, memory.data(), k);
  }
};
#endif

}  // namespace gossip::device
