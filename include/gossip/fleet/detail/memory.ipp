// Definitions of fleet/memory.hpp.
#pragma once

#include <gossip/fleet/memory.hpp>

#include <algorithm>
#include <fstream>
#include <limits>

#include <gossip/core/error.hpp>
#include <gossip/core/inline.hpp>

namespace gossip {

GOSSIP_INLINE std::size_t available_memory() {
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

GOSSIP_INLINE std::size_t status_bytes(std::string const &name) {
  std::ifstream status("/proc/self/status");
  for (std::string key; status >> key; status.ignore(256, '\n'))
    if (key == name) {
      std::size_t kilobytes = 0;
      status >> kilobytes;
      return kilobytes * 1024;
    }
  return 0;
}

GOSSIP_INLINE std::string gigabytes(std::size_t bytes) {
  std::string const tenths = std::to_string((bytes + 99'999'999) / 100'000'000);
  return (tenths.size() > 1 ? tenths.substr(0, tenths.size() - 1) : "0") + "." + tenths.back() +
         " GB";
}

}  // namespace detail

GOSSIP_INLINE void require_memory(memory_need const &need, std::size_t available) {
  using detail::gigabytes;
  if (need.total() <= available) return;
  throw error("memory: the run needs " + gigabytes(need.total()) + " (" + gigabytes(need.rows) +
              " of it for the rows of the nodes), available are " + gigabytes(available));
}

GOSSIP_INLINE void require_host_memory(memory_need const &need, std::size_t available) {
  using detail::gigabytes;
  if (need.host <= available) return;
  throw error("memory: beside the device the run needs " + gigabytes(need.host) +
              " of the host for the plan, a model and a window of rows, available are " +
              gigabytes(available));
}

}  // namespace gossip
