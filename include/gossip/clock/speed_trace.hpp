// Speeds of nodes over time that were observed, from a file.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include <gossip/clock/machine_speeds.hpp>
#include <gossip/core/lines.hpp>

namespace gossip {

/// The slow times of a CSV file, gzipped or not, with the columns node, from_ns, until_ns and
/// factor, or us, ms or s, named so in its first line. Those of a node come in the order of time
/// and apart; lines of several nodes may alternate. Until `inf`: for ever. Throws input_error with
/// path and line.
std::vector<slow_node> read_speeds(std::string const &path, std::size_t nodes);

/// Slow nodes, and those of a file; of none where its path is empty.
inline std::vector<slow_node> with_trace(std::vector<slow_node> slow, std::string const &path,
                                         std::size_t nodes) {
  if (path.empty()) return slow;
  for (slow_node const &one : read_speeds(path, nodes)) slow.push_back(one);
  return slow;
}

}  // namespace gossip

#ifndef GOSSIP_COMPILED
#include <gossip/clock/detail/speed_trace.ipp>
#endif
