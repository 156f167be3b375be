// MPI for the time of a live run: initialised for several threads, ended in good order or at once.
#pragma once

#include <boost/mpi/collectives/all_reduce.hpp>
#include <boost/mpi/communicator.hpp>
#include <boost/mpi/environment.hpp>
#include <boost/mpi/operations.hpp>
#include <cstddef>
#include <cstdlib>

#include <gossip/core/error.hpp>

namespace gossip {

/// Asks for MPI_THREAD_FUNNELED: a learner computes gradients in a second thread, and all messages
/// belong to the first. The alternative, a thread blocked in MPI_Recv under MPI_THREAD_MULTIPLE,
/// keeps a whole core busy with waiting in common MPI libraries.
class live_environment {
 public:
  /// Throws gossip::error where the MPI library is built for one thread only.
  live_environment(int &argc, char **&argv)
      : environment_(argc, argv, boost::mpi::threading::funneled, true) {
    if (boost::mpi::environment::thread_level() < boost::mpi::threading::funneled)
      throw error(
          "MPI: expected a library that allows further threads (MPI_THREAD_FUNNELED), got one for "
          "a single thread; build it with thread support");
  }

  boost::mpi::communicator const &world() const { return world_; }
  std::size_t rank() const { return static_cast<std::size_t>(world_.rank()); }
  std::size_t ranks() const { return static_cast<std::size_t>(world_.size()); }

  /// The least value of all ranks, on all of them; everybody must call it.
  std::size_t least(std::size_t value) const {
    return boost::mpi::all_reduce(world_, value, boost::mpi::minimum<std::size_t>());
  }

  /// Ends the processes of all ranks, whatever they are doing.
  [[noreturn]] void abort(int status) const {
    boost::mpi::environment::abort(status);
    std::abort();
  }

 private:
  boost::mpi::environment environment_;
  boost::mpi::communicator world_;
};

}  // namespace gossip
