// Definitions of clock/trace_header.hpp.
#pragma once

#include <gossip/clock/trace_header.hpp>

#include <array>
#include <string>
#include <utility>

#include <gossip/core/error.hpp>
#include <gossip/core/inline.hpp>

namespace gossip::detail {

GOSSIP_INLINE trace_header read_trace_header(lines &file, std::span<std::string_view const> forms,
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
