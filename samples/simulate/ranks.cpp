#include "ranks.hpp"

#include <algorithm>
#include <cstdlib>
#include <thread>

namespace simulate {

namespace {

/// Asking MPI would start it, which takes a while and may not be possible outside of a job.
bool started_by_mpirun() {
  for (char const *const name :
       {"OMPI_COMM_WORLD_SIZE", "PMIX_RANK", "PMI_RANK", "MV2_COMM_WORLD_RANK"})
    if (std::getenv(name)) return true;
  return false;
}

}  // namespace

std::optional<ranks> world() {
  if constexpr (ranks::spans_ranks)
    if (started_by_mpirun())
      if (ranks all; all.size() > 1) return all;
  return std::nullopt;
}

std::size_t threads_of(std::optional<ranks> const &others) {
  if (!others || std::getenv("OMP_NUM_THREADS")) return 0;
  std::size_t const cores = std::max(1U, std::thread::hardware_concurrency());
  return std::max<std::size_t>(1, cores / others->local_size());
}

}  // namespace simulate
