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

/// A file whose lines begin with a node and a time from which and until which something holds.
struct spell_columns {
  std::string_view form;  // of its header, see read_trace_header
  char const *header;     // for a sentence
  std::size_t count;      // of numbers in a line
  char const *what;       // a node has, with the words before its number
};

/// take(file, numbers, spell) for every line but empty ones.
template <class Take>
void each_spell(std::string const &path, spell_columns const &columns, std::size_t nodes,
                Take take) {
  lines file(path);
  std::array const forms{columns.form};
  double const unit = read_trace_header(file, forms, columns.header).nanoseconds;
  std::vector<virtual_time> last(nodes, virtual_time(0));
  std::vector<double> numbers;
  for (std::string_view line; file.next(line);) {
    if (line.find_first_not_of(" \t") == std::string_view::npos) continue;
    if (!read_numbers(line, numbers) || numbers.size() != columns.count)
      file.fail(std::to_string(columns.count) + " numbers between commas", lines::quoted(line));
    outage const spell = spell_of_trace(file, numbers, unit, last, columns.what);
    take(file, numbers, spell);
  }
}

}  // namespace detail

/// The outages of a CSV file, gzipped or not, with the columns node, from_ns and until_ns, or us,
/// ms or s, named so in its first line. Those of a node come in the order of time and apart; lines
/// of several nodes may alternate. Until `inf`: for good. Throws input_error with path and line.
inline std::vector<outage> read_outages(std::string const &path, std::size_t nodes) {
  std::vector<outage> all;
  detail::each_spell(path,
                     {"node,from_*,until_*", "a header 'node,from_s,until_s', or ns, us, ms", 3,
                      "the last outage of node "},
                     nodes,
                     [&](detail::lines const &, std::vector<double> const &, outage const &one) {
                       all.push_back(one);
                     });
  return all;
}

}  // namespace gossip
