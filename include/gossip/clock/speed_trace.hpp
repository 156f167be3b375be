// Speeds of nodes over time that were observed, from a file.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include <gossip/clock/machine_speeds.hpp>
#include <gossip/clock/outage_trace.hpp>
#include <gossip/core/lines.hpp>

namespace gossip {

/// The slow times of a CSV file, gzipped or not, with the columns node, from_ns, until_ns and
/// factor, or us, ms or s, named so in its first line. Those of a node come in the order of time
/// and apart; lines of several nodes may alternate. Until `inf`: for ever. Throws input_error with
/// path and line.
inline std::vector<slow_node> read_speeds(std::string const &path, std::size_t nodes) {
  std::vector<slow_node> all;
  detail::each_spell(
      path,
      {"node,from_*,until_*,factor", "a header 'node,from_s,until_s,factor', or ns, us, ms", 4,
       "the last factor of node "},
      nodes, [&](detail::lines const &file, std::vector<double> const &numbers, outage const &one) {
        double const factor = numbers[3];
        if (!(factor > 0.0 && factor <= 1e9))
          file.fail("a factor above 0, up to 1e9", detail::shortest(factor));
        all.push_back({one.which, factor, one.from, one.until});
      });
  return all;
}

/// Slow nodes, and those of a file; of none where its path is empty.
inline std::vector<slow_node> with_trace(std::vector<slow_node> slow, std::string const &path,
                                         std::size_t nodes) {
  if (path.empty()) return slow;
  for (slow_node const &one : read_speeds(path, nodes)) slow.push_back(one);
  return slow;
}

}  // namespace gossip
