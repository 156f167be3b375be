// The header of a CSV file of times, which names their unit.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include <gossip/core/error.hpp>
#include <gossip/core/lines.hpp>

namespace gossip::detail {

/// The columns of a file of times: the number of its form, and the nanoseconds of its unit.
struct trace_header {
  std::size_t form;
  double nanoseconds;
};

/// Reads the first line: one of the forms, with ns, us, ms or s in the place of each '*', blanks
/// anywhere. Throws input_error for an empty file, and "path:1: expected ..." for another line.
inline trace_header read_trace_header(lines &file, std::span<std::string_view const> forms,
                                      char const *expected) {
  constexpr std::array<std::pair<std::string_view, double>, 4> units{
      {{"ns", 1.0}, {"us", 1e3}, {"ms", 1e6}, {"s", 1e9}}};
  std::string_view line;
  if (!file.next(line)) throw input_error(file.path(), "a header and times", "an empty file");
  std::string header;
  for (char const c : line)
    if (c != ' ') header += c;
  for (std::size_t form = 0; form < forms.size(); ++form)
    for (auto const &[unit, nanoseconds] : units) {
      std::string columns;
      for (char const c : forms[form]) c == '*' ? columns += unit : columns += c;
      if (header == columns) return {form, nanoseconds};
    }
  file.fail(expected, lines::quoted(line));
}

}  // namespace gossip::detail
