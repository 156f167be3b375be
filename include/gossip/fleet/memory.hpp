// Memory that a run may take, and the refusal of one that cannot fit.
#pragma once

#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <string>

namespace gossip {

/// Bytes the system would give this process now: free memory within its control group's limit.
std::size_t available_memory();

namespace detail {

/// A size of this process that the system names, bytes; 0 where it does not.
std::size_t status_bytes(std::string const &name);

}  // namespace detail

/// The memory that this process has in use, bytes.
inline std::size_t resident_bytes() {
  return detail::status_bytes("VmRSS:");
}

/// The most memory this process has had in use so far, bytes.
inline std::size_t peak_resident_bytes() {
  return detail::status_bytes("VmHWM:");
}

/// Memory that a run needs, by part; bytes where the rows are, in the host's or a device's.
struct memory_need {
  std::size_t rows = 0;     ///< parameters and optimizer rows of all nodes
  std::size_t working = 0;  ///< gradients, activations and tiles of all workers
  std::size_t data = 0;     ///< training samples and shares
  std::size_t plan = 0;     ///< two windows of the plan, and the graph
  std::size_t model = 0;    ///< one model more: what all nodes start from, later their mean
  std::size_t copy = 0;     ///< of all rows, in the host's memory, see run_settings::copy_of_state

  std::size_t host = 0;      ///< beside that, in the host's memory, where the rows are on a device;
                             ///< with the copy
  std::size_t device = 0;    ///< of a device that computes gradients for rows in the host's memory
  std::uint64_t stored = 0;  ///< of all rows, where memory has only some of them at a time

  constexpr std::size_t total() const {
    return rows + working + data + plan + model + (host > 0 ? 0 : copy);
  }

  /// The need becomes one without the copy.
  constexpr void leave_copy_out() {
    if (host > 0) host -= copy;
    copy = 0;
  }
};

namespace detail {

/// Rounded up to tenths.
std::string gigabytes(std::size_t bytes);

}  // namespace detail

/// Throws gossip::error with the numbers where the need exceeds what is available.
void require_memory(memory_need const &need, std::size_t available);

/// The same of what a run on a device needs of the host.
void require_host_memory(memory_need const &need, std::size_t available);

}  // namespace gossip

#ifndef GOSSIP_COMPILED
#include <gossip/fleet/detail/memory.ipp>
#endif
