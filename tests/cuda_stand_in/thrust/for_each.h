// A loop of Thrust as work of a stream.
#pragma once

#include <thrust/execution_policy.h>
#include <thrust/iterator/counting_iterator.h>

#include <cstddef>
#include <stdexcept>
#include <type_traits>

namespace thrust {

/// f(index) for `count` indices, each by a thread of its own, f as it is now.
template <class T, class F>
void for_each_n(cuda::on_stream on, counting_iterator<T> first, std::size_t count, F f) {
  static_assert(std::is_trivially_copyable_v<F>, "what a kernel is given is copied as bytes");
  static_assert(sizeof(F) + sizeof(first) + sizeof(count) <= 4096, "parameters of a kernel");
  if (count == 0) return;
  cudaError_t const code = stand_in::give(on.stream, [start = first.value, count, f] {
    stand_in::thread_order const order(count);
    std::size_t index = order.first();
    for (std::size_t done = 0; done < count; ++done, index = order.after(index))
      f(start + static_cast<T>(index));
  });
  if (code != cudaSuccess) throw std::runtime_error(cudaGetErrorString(code));
}

}  // namespace thrust
