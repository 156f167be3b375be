// Whether MPI takes pointers to GPU memory.
#pragma once

#include <mpi.h>
#if __has_include(<mpi-ext.h>)
#include <mpi-ext.h>
#endif

namespace gossip::detail {

/// Whether MPI reads GPU memory: Open MPI answers since 2.0, once MPI is initialised; others do not
/// answer, and get memory of the host.
inline bool mpi_reads_device_memory() {
#if defined(MPIX_CUDA_AWARE_SUPPORT)
  return MPIX_Query_cuda_support() == 1;
#else
  return false;
#endif
}

}  // namespace gossip::detail
