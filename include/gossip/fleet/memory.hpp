// Memory that a run may take, and the refusal of one that cannot fit.
#pragma once

#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <fstream>
#include <limits>
#include <string>

#include <gossip/core/error.hpp>

namespace gossip {

/// Bytes the system would give this process now: free memory within its control group's limit.
inline std::size_t available_memory() {
  std::size_t available = std::numeric_limits<std::size_t>::max();
  std::ifstream meminfo("/proc/meminfo");
  for (std::string key; meminfo >> key; meminfo.ignore(64, '\n'))
    if (key == "MemAvailable:") {
      meminfo >> available;
      available *= 1024;
      break;
    }
  std::size_t limit = 0, used = 0;
  if (std::ifstream("/sys/fs/cgroup/memory.max") >> limit &&
      std::ifstream("/sys/fs/cgroup/memory.current") >> used) {
    std::size_t cached = 0;  // files read some time ago, which make room when asked to
    std::ifstream stat("/sys/fs/cgroup/memory.stat");
    for (std::string key; stat >> key; stat.ignore(64, '\n'))
      if (key == "inactive_file") stat >> cached;
    used -= std::min(used, cached);
    available = std::min(available, limit - std::min(used, limit));
  }
  return available;
}

namespace detail {

/// A size of this process that the system names, bytes; 0 where it does not.
inline std::size_t status_bytes(std::string const &name) {
  std::ifstream status("/proc/self/status");
  for (std::string key; status >> key; status.ignore(256, '\n'))
    if (key == name) {
      std::size_t kilobytes = 0;
      status >> kilobytes;
      return kilobytes * 1024;
    }
  return 0;
}

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
inline std::string gigabytes(std::size_t bytes) {
  std::string const tenths = std::to_string((bytes + 99'999'999) / 100'000'000);
  return (tenths.size() > 1 ? tenths.substr(0, tenths.size() - 1) : "0") + "." + tenths.back() +
         " GB";
}

}  // namespace detail

/// Throws gossip::error with the numbers where the need exceeds what is available.
inline void require_memory(memory_need const &need, std::size_t available) {
  using detail::gigabytes;
  if (need.total() <= available) return;
  throw error("memory: the run needs " + gigabytes(need.total()) + " (" + gigabytes(need.rows) +
              " of it for the rows of the nodes), available are " + gigabytes(available));
}

/// The same of what a run on a device needs of the host.
inline void require_host_memory(memory_need const &need, std::size_t available) {
  using detail::gigabytes;
  if (need.host <= available) return;
  throw error("memory: beside the device the run needs " + gigabytes(need.host) +
              " of the host for the plan, a model and a window of rows, available are " +
              gigabytes(available));
}

}  // namespace gossip
