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

/// The node and the times of a line's first three numbers: those of a node in the order of time and
/// apart. last: (n) where `what` of each node ends; the line's takes its place.
outage spell_of_trace(lines const &file, std::vector<double> const &numbers, double unit,
                      std::vector<virtual_time> &last, char const *what);

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
std::vector<outage> read_outages(std::string const &path, std::size_t nodes);

}  // namespace gossip

#ifndef GOSSIP_COMPILED
#include <gossip/clock/detail/outage_trace.ipp>
#endif
