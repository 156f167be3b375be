// Speeds of nodes over time that were observed, from a file.
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include <gossip/clock/machine_speeds.hpp>
#include <gossip/clock/outage_trace.hpp>
#include <gossip/clock/trace_header.hpp>
#include <gossip/clock/units.hpp>
#include <gossip/core/lines.hpp>
#include <gossip/core/node.hpp>

namespace gossip {

/// The slow times of a CSV file, gzipped or not, with the columns node, from_ns, until_ns and
/// factor, or us, ms or s, named so in its first line. Those of a node come in the order of time
/// and apart; lines of several nodes may alternate. Until `inf`: for ever. Throws input_error with
/// path and line.
inline std::vector<slow_node> read_speeds(std::string const &path, std::size_t nodes) {
  detail::lines file(path);
  constexpr std::array<std::string_view, 1> forms{"node,from_*,until_*,factor"};
  double const unit =
      detail::read_trace_header(file, forms, "a header 'node,from_s,until_s,factor', or ns, us, ms")
          .nanoseconds;
  std::vector<slow_node> all;
  std::vector<virtual_time> last(nodes, virtual_time(0));
  std::vector<double> numbers;
  for (std::string_view line; file.next(line);) {
    if (line.find_first_not_of(" \t") == std::string_view::npos) continue;
    if (!detail::read_numbers(line, numbers) || numbers.size() != 4)
      file.fail("4 numbers between commas", detail::lines::quoted(line));
    auto const [i, from, until] =
        detail::spell_of_trace(file, numbers, unit, last, "the last factor of node ");
    if (!(numbers[3] > 0.0 && numbers[3] <= 1e9))
      file.fail("a factor above 0, up to 1e9", detail::shortest(numbers[3]));
    all.push_back({i, numbers[3], from, until});
  }
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
