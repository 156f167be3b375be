// Law 2 for ranks that have a device each: a run that is spread over them is that of one process
// with a device, bit for bit, whether MPI reads the device's memory or not.
#pragma once

#include "../engine/late_device.hpp"
#include "ranks.hpp"

namespace gossip::test {

/// All processes of mpirun, said to read device memory or not to.
struct ranks_with_devices : mpi_ranks {
  bool direct;
  bool reads_device_memory() const { return direct; }
};

/// Waits of this rank for its device in so many rounds, and the traffic of all.
struct device_costs {
  std::size_t waits = 0;
  communication_report traffic;
};
device_costs costs_of(some_exchange const &exchange, std::uint64_t count);

/// On graphs that rows cross in all ways.
void check_crossings(some_exchange const &exchange);

/// On three of them, for an exchange that has verbs which those on all of them lack.
void check_crossings_of_verbs(some_exchange const &exchange);

/// And what models, precisions and statistics add to that.
void check_devices(some_exchange const &exchange);

}  // namespace gossip::test
