// Outages that were observed, from a file.
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include <gossip/clock/outage.hpp>
#include <gossip/clock/trace_header.hpp>
#include <gossip/clock/units.hpp>
#include <gossip/clock/whole_nanoseconds.hpp>
#include <gossip/core/error.hpp>
#include <gossip/core/lines.hpp>
#include <gossip/core/node.hpp>

namespace gossip {

namespace detail {

/// A point of time of a trace, in its unit.
inline virtual_time time_of_trace(lines const &file, double number, double nanoseconds) {
  double const at = number * nanoseconds;
  if (!(at >= 0.0 && at < 0x1p63)) file.fail("a time from 0 to 292 years", shortest(number));
  return whole_nanoseconds(at, "outages: trace");
}

/// The node and the times of a line's first three numbers: those of a node in the order of time and
/// apart. last: (n) where `what` of each node ends; the line's takes its place.
inline outage spell_of_trace(lines const &file, std::vector<double> const &numbers, double unit,
                             std::vector<virtual_time> &last, char const *what) {
  double const which = numbers[0];
  auto const nodes = static_cast<double>(last.size());
  auto const i = static_cast<node>(which >= 0.0 && which < nodes ? which : 0);
  if (static_cast<double>(i) != which)
    file.fail("a node below " + std::to_string(last.size()), shortest(which));
  virtual_time const from = time_of_trace(file, numbers[1], unit);
  bool const for_good = numbers[2] > 0 && numbers[2] * 0 != 0;
  virtual_time const until = for_good ? virtual_time::max() : time_of_trace(file, numbers[2], unit);
  if (from < last[i])
    file.fail("a time from " + exact_duration(last[i]) + " on, where " + what + std::to_string(i) +
                  " ends",
              exact_duration(from));
  if (until <= from) file.fail("an end after " + exact_duration(from), exact_duration(until));
  last[i] = until;
  return {i, from, until};
}

}  // namespace detail

/// The outages of a CSV file, gzipped or not, with the columns node, from_ns and until_ns, or us,
/// ms or s, named so in its first line. Those of a node come in the order of time and apart; lines
/// of several nodes may alternate. Until `inf`: for good. Throws input_error with path and line.
inline std::vector<outage> read_outages(std::string const &path, std::size_t nodes) {
  detail::lines file(path);
  constexpr std::array<std::string_view, 1> forms{"node,from_*,until_*"};
  double const unit =
      detail::read_trace_header(file, forms, "a header 'node,from_s,until_s', or ns, us, ms")
          .nanoseconds;
  std::vector<outage> all;
  std::vector<virtual_time> last(nodes, virtual_time(0));
  std::vector<double> numbers;
  for (std::string_view line; file.next(line);) {
    if (line.find_first_not_of(" \t") == std::string_view::npos) continue;
    if (!detail::read_numbers(line, numbers) || numbers.size() != 3)
      file.fail("3 numbers between commas", detail::lines::quoted(line));
    all.push_back(detail::spell_of_trace(file, numbers, unit, last, "the last outage of node "));
  }
  return all;
}

}  // namespace gossip
