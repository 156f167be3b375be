// Definitions of clock/trace_time.hpp.
#pragma once

#include <gossip/clock/trace_time.hpp>

#include <array>
#include <utility>

#include <gossip/clock/trace_header.hpp>
#include <gossip/core/error.hpp>
#include <gossip/core/inline.hpp>

namespace gossip {

GOSSIP_INLINE virtual_time trace_time::draws::duration(std::uint64_t, node i,
                                                       std::uint64_t step) const {
  if (!shared && i >= times->size())
    throw input_error(path, "durations for node " + std::to_string(i),
                      "durations for " + std::to_string(times->size()) + " nodes");
  auto const &own = (*times)[shared ? 0 : i];
  if (step < own.size()) return own[step];
  if (repeats) return own[step % own.size()];
  throw input_error(path,
                    "a duration for training " + std::to_string(step) + " of node " +
                        std::to_string(i) + ", or repeats",
                    std::to_string(own.size()) + " durations");
}

GOSSIP_INLINE trace_time::draws trace_time::prepare() const {
  if (path.empty()) throw input_error("trace_time: path", "a file", "none");
  detail::lines file(path);
  form const columns = read_header(file);
  std::vector<std::vector<virtual_time>> times(columns.shared ? 1 : 0);
  std::vector<double> numbers;
  for (std::string_view line; file.next(line);)
    if (line.find_first_not_of(" \t") != std::string_view::npos)
      read_line(file, line, columns, numbers, times);
  if (times.empty() || times.front().empty())
    throw input_error(path, "at least one duration", "none");
  return {std::make_shared<std::vector<std::vector<virtual_time>> const>(std::move(times)), path,
          columns.shared, repeats};
}

GOSSIP_INLINE trace_time::form trace_time::read_header(detail::lines &file) {
  constexpr std::array<std::string_view, 2> forms{"node,step,duration_*", "step,duration_*"};
  auto const [form, nanoseconds] = detail::read_trace_header(
      file, forms, "a header 'node,step,duration_ms', or ns, us, s, or without node");
  return {form == 1, nanoseconds};
}

GOSSIP_INLINE void trace_time::read_line(detail::lines const &file, std::string_view line,
                                         form const &columns, std::vector<double> &numbers,
                                         std::vector<std::vector<virtual_time>> &times) {
  std::size_t const count = columns.shared ? 2 : 3;
  if (!detail::read_numbers(line, numbers) || numbers.size() != count)
    file.fail(std::to_string(count) + " numbers between commas", detail::lines::quoted(line));
  double const i = columns.shared ? 0.0 : numbers.front(), step = numbers[count - 2];
  auto const nodes = static_cast<double>(times.size());
  if (i == nodes) times.emplace_back();
  auto const owner = static_cast<std::size_t>(i >= 0.0 && i <= nodes ? i : 0.0);
  if (static_cast<double>(owner) != i)
    file.fail("a node from 0 to " + std::to_string(times.size()), shown(i));
  auto &own = times[owner];
  if (step != static_cast<double>(own.size()))
    file.fail("step " + std::to_string(own.size()) + " of node " + std::to_string(owner),
              shown(step));
  double const nanoseconds = numbers.back() * columns.nanoseconds;
  if (!(nanoseconds >= 1.0 && nanoseconds < 0x1p63))
    file.fail("a duration from 1 ns to 292 years", shown(numbers.back()));
  own.push_back(whole_nanoseconds(nanoseconds, "trace_time: duration"));
}

}  // namespace gossip
