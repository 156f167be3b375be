// The processes that mpirun has started together, where the driver is built with MPI.
#pragma once

#include <optional>

#ifdef GOSSIP_SIMULATE_MPI
#include <gossip/transport/mpi/ranks.hpp>
#else
#include <gossip/transport/single_process.hpp>
#endif

namespace simulate {

#ifdef GOSSIP_SIMULATE_MPI
using ranks = gossip::mpi_ranks;
#else
using ranks = gossip::single_process;
#endif

/// All of them, or none where this process is alone. To be asked once. Throws input_error where
/// several were started that cannot share a run.
std::optional<ranks> world();

/// Threads of this process where the configuration leaves them open: cores are shared evenly by the
/// ranks of a machine unless OMP_NUM_THREADS says how many each takes. 0: gossip::usual_threads().
std::size_t threads_of(std::optional<ranks> const &others);

}  // namespace simulate
