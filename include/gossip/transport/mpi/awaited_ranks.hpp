// Ranks that wait for ranks which do not come, and say so in the place of waiting in silence.
#pragma once

#include <mpi.h>

#include <boost/mpi/communicator.hpp>
#include <chrono>
#include <cstdio>
#include <string>
#include <thread>

#include <gossip/transport/mpi/blocks.hpp>

namespace gossip::detail {

/// Returns when all ranks of the communicator are here. Where that takes longer than `patience`,
/// "gossip: rank r <says>" goes to stderr, once.
inline void await_ranks(MPI_Comm all, std::chrono::milliseconds patience, char const *says) {
  int rank = 0, here = 0;
  check_mpi(MPI_Comm_rank(all, &rank), "MPI_Comm_rank");
  MPI_Request everybody = MPI_REQUEST_NULL;
  check_mpi(MPI_Ibarrier(all, &everybody), "MPI_Ibarrier");
  bool silent = true;
  for (auto const begin = std::chrono::steady_clock::now();;) {
    check_mpi(MPI_Test(&everybody, &here, MPI_STATUS_IGNORE), "MPI_Test");
    if (here) return;
    auto const waited = std::chrono::steady_clock::now() - begin;
    if (silent && waited >= patience) {
      silent = false;
      std::fputs(("gossip: rank " + std::to_string(rank) + ' ' + says + '\n').c_str(), stderr);
    }
    if (waited < std::chrono::milliseconds(1))
      std::this_thread::yield();
    else
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}

/// A rank at its end, for the whole process.
struct rank_at_end {
  MPI_Comm all = MPI_COMM_NULL;
  std::chrono::milliseconds patience{};
};

/// Called by MPI_Finalize, before MPI ends, as all attributes of MPI_COMM_SELF are
/// (MPI 3.1, 8.7.1).
inline int await_at_end(MPI_Comm, int, void *attribute, void *) {
  auto const &end = *static_cast<rank_at_end const *>(attribute);
  await_ranks(end.all, end.patience,
              "has left main and waits for ranks that are still in a run: all ranks must call a "
              "run. If they wait for this rank, end all of them");
  return MPI_SUCCESS;
}

/// On all ranks together: from now on a rank that ends before others waits for them, and says so.
inline void announce_end(MPI_Comm world, std::chrono::milliseconds patience) {
  static rank_at_end end;
  if (end.all != MPI_COMM_NULL) return;
  end.patience = patience;
  check_mpi(MPI_Comm_dup(world, &end.all), "MPI_Comm_dup");
  int key = MPI_KEYVAL_INVALID;
  check_mpi(MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, await_at_end, &key, nullptr),
            "MPI_Comm_create_keyval");
  check_mpi(MPI_Comm_set_attr(MPI_COMM_SELF, key, &end), "MPI_Comm_set_attr");
}

/// On all ranks: returns `all` when they are there.
inline boost::mpi::communicator awaited(boost::mpi::communicator const &all,
                                        std::chrono::milliseconds patience) {
  await_ranks(
      all, patience,
      "makes gossip::mpi_ranks and waits for ranks that do not make it: all ranks must call a run");
  announce_end(all, patience);
  return all;
}

}  // namespace gossip::detail
