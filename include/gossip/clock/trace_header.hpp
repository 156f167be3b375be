// The header of a CSV file of times, which names their unit.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

#include <gossip/core/lines.hpp>

namespace gossip::detail {

/// The columns of a file of times: the number of its form, and the nanoseconds of its unit.
struct trace_header {
  std::size_t form;
  double nanoseconds;
};

/// Reads the first line: one of the forms, with ns, us, ms or s in the place of each '*', blanks
/// anywhere. Throws input_error for an empty file, and "path:1: expected ..." for another line.
trace_header read_trace_header(lines &file, std::span<std::string_view const> forms,
                               char const *expected);

}  // namespace gossip::detail

#ifndef GOSSIP_COMPILED
#include <gossip/clock/detail/trace_header.ipp>
#endif
