// What memory a worker's operations may write and forget.
#pragma once

namespace gossip {

/// What a worker needs scratch for.
enum class scratch_use {
  none,     ///< it does every operation as its function object says it
  columns,  ///< its convolutions are products with columns of inputs
  kernels,  ///< it has kernels of its own, and cores that may share a batch
  copies,   ///< as kernels, and a library that wants convolutions in another order
};

/// As the worker says; void, and one that does not say: kernels, which need most.
template <class Worker>
inline constexpr scratch_use scratch_of_worker = scratch_use::kernels;
template <class Worker>
requires requires {
  Worker::scratch;
}
inline constexpr scratch_use scratch_of_worker<Worker> = Worker::scratch;

}  // namespace gossip
