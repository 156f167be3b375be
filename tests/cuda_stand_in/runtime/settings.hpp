// Settings of the environment, faults of the caller, and the error that the runtime keeps.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>
#include <string>

namespace stand_in {

/// CUDA_STAND_IN_STREAMS=eager: work is done when it is given. Otherwise (late) as late as the
/// interface allows.
bool eager();

/// CUDA_STAND_IN_THREADS: seed of the order of a kernel's threads; 0 is ascending.
std::uint64_t thread_seed();

/// CUDA_STAND_IN_BYTES: memory of the device; 16 GiB if it is not set.
std::size_t device_bytes();

/// Ends the process with a sentence: for what CUDA leaves undefined.
[[noreturn]] void fault(std::string const &where, std::string const &what);

/// Keeps a code other than success for cudaGetLastError, and returns it.
cudaError_t fail(cudaError_t code);

}  // namespace stand_in
