// Scratch memory of a worker's operations, by use.
#pragma once

namespace gossip {

/// The use of scratch memory by a worker.
enum class scratch_use {
  none,      ///< it does every operation as its function object says it
  columns,   ///< its convolutions are products with columns of inputs
  kernels,   ///< it has kernels of its own, and cores that may share a batch
  reorders,  ///< as kernels, and a library's convolutions, whose arrays are reordered
};

/// Whether cores may share a batch.
constexpr bool shares_batches(scratch_use use) {
  return use == scratch_use::kernels || use == scratch_use::reorders;
}

/// As the worker says; one that does not say: kernels.
template <class Worker>
inline constexpr scratch_use scratch_of_worker = scratch_use::kernels;
template <class Worker>
  requires requires { Worker::scratch; }
inline constexpr scratch_use scratch_of_worker<Worker> = Worker::scratch;
/// Any worker: the use with the most memory a lane.
template <>
inline constexpr scratch_use scratch_of_worker<void> = scratch_use::reorders;

/// Preference for chunks of as many samples as there may be: of workers whose convolutions are
/// products, which are faster on a device the larger they are.
template <class Worker>
inline constexpr bool prefers_full_chunks = scratch_of_worker<Worker> == scratch_use::columns;

/// A worker of which nothing else is known.
template <scratch_use Use>
struct scratch_as {
  static constexpr scratch_use scratch = Use;
};

}  // namespace gossip
