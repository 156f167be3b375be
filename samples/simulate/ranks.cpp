#include "ranks.hpp"

#include <algorithm>
#include <cstdlib>
#include <string>
#include <thread>

#include <gossip/core/error.hpp>

namespace simulate {

namespace {

/// Asking MPI would start it, which takes a while and may not be possible outside of a job.
bool started_by_mpirun() {
  for (char const *const name :
       {"OMPI_COMM_WORLD_SIZE", "PMIX_RANK", "PMI_RANK", "MV2_COMM_WORLD_RANK"})
    if (std::getenv(name)) return true;
  return false;
}

/// Processes that a launcher says it has started together; 1 where none says so.
std::size_t processes_started() {
  std::size_t most = 1;
  for (char const *const name : {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "MV2_COMM_WORLD_SIZE",
                                 "PALS_NRANKS", "SLURM_STEP_NUM_TASKS"})
    if (char const *const said = std::getenv(name))
      most = std::max<std::size_t>(most, std::strtoul(said, nullptr, 10));
  return most;
}

}  // namespace

std::optional<ranks> world() {
  std::size_t const started = processes_started();
  if constexpr (ranks::spans_ranks) {
    if (started_by_mpirun()) {
      ranks all;
      if (started > 1 && all.size() == 1)
        throw gossip::input_error("gossip-simulate",
                                  "a start by the mpirun of the MPI of this build",
                                  "an mpirun that started " + std::to_string(started) +
                                      " processes without a connection to each other");
      if (all.size() > 1) return all;
    }
  } else if (started > 1) {
    throw gossip::input_error("gossip-simulate",
                              "a build with Boost.MPI, whose processes share a run",
                              "a build without Boost.MPI, started as " + std::to_string(started) +
                                  " processes, each of which would make the whole run");
  }
  return std::nullopt;
}

std::size_t threads_of(std::optional<ranks> const &others) {
  if (!others || std::getenv("OMP_NUM_THREADS")) return 0;
  std::size_t const cores = std::max(1U, std::thread::hardware_concurrency());
  return std::max<std::size_t>(1, cores / others->local_size());
}

}  // namespace simulate
