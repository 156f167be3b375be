// Backend and processes of a run, and the memory that it may take there.
#pragma once

#include <cstddef>

#include <gossip/fleet/memory.hpp>

namespace gossip::detail {

/// Machine: the backend of a simulator, or of its runs. Transport: single_process, or ranks. Both
/// outlive it.
template <class Machine, class Transport>
class run_resources {
 public:
  run_resources(Machine const &machine, Transport const &transport)
      : machine_(machine), transport_(transport) {}

  /// Bytes that rows may take, on a device or in the host's memory, and those of the host.
  std::size_t available_bytes() const {
    if constexpr (requires { machine_.available_bytes(); })
      return machine_.available_bytes();
    else
      return available_host_bytes();
  }
  std::size_t available_host_bytes() const { return available_memory() / transport_.local_size(); }

  /// Number of ranks on this one's device; 0 where it has none. Called by all ranks at once.
  std::size_t ranks_a_device() const {
    if constexpr (requires { machine_.device_identity(); })
      return transport_.count_equal(machine_.device_identity());
    else
      return 0;
  }

 private:
  Machine const &machine_;
  Transport const &transport_;
};

}  // namespace gossip::detail
