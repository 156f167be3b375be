// Where a loop of Thrust runs: on a stream of the stand-in.
#pragma once

#include <cuda_runtime.h>

namespace thrust::cuda {

struct on_stream {
  cudaStream_t stream;
};

struct par_nosync_t {
  constexpr on_stream on(cudaStream_t stream) const { return {stream}; }
};
inline constexpr par_nosync_t par_nosync{};

}  // namespace thrust::cuda
