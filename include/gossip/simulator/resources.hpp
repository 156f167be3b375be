// Backend and processes of a run, and the memory that it may take there.
#pragma once

#include <cstddef>
#include <utility>

#include <gossip/fleet/memory.hpp>

namespace gossip::detail {

/// Backend: of the simulator. Transport: single_process, or ranks.
template <class Backend, class Transport>
class run_resources {
 public:
  run_resources(Backend backend, Transport transport)
      : backend_(std::move(backend)), transport_(std::move(transport)) {
    if constexpr (Transport::spans_ranks && requires { backend_.choose(std::size_t{0}); })
      backend_.choose(transport_.local_rank());
  }

  Backend const &backend() const { return backend_; }
  Transport const &transport() const { return transport_; }

  /// Bytes that rows may take, on a device or in the host's memory, and those of the host.
  std::size_t available_bytes() const {
    if constexpr (requires { backend_.available_bytes(); })
      return backend_.available_bytes();
    else
      return available_host_bytes();
  }
  std::size_t available_host_bytes() const { return available_memory() / transport_.local_size(); }

  /// Number of ranks on this one's device; 0 where it has none. Called by all ranks at once.
  std::size_t ranks_a_device() const {
    if constexpr (requires { backend_.device_identity(); })
      return transport_.count_equal(backend_.device_identity());
    else
      return 0;
  }

 private:
  Backend backend_;
  Transport transport_;
};

}  // namespace gossip::detail
