// Definitions of clock/region_trace.hpp.
#pragma once

#include <gossip/clock/region_trace.hpp>

#include <string_view>

#include <gossip/clock/units.hpp>
#include <gossip/core/error.hpp>
#include <gossip/core/inline.hpp>

namespace gossip {

namespace detail {

/// The text up to the next comma, without blanks around it, which is taken off the line.
GOSSIP_INLINE std::string_view take_field(std::string_view &line) {
  std::string_view field = line.substr(0, line.find(','));
  line.remove_prefix(field.size() < line.size() ? field.size() + 1 : field.size());
  while (field.starts_with(' ')) field.remove_prefix(1);
  while (field.ends_with(' ')) field.remove_suffix(1);
  return field;
}

/// A region of a line, below so many.
GOSSIP_INLINE std::size_t take_region(lines const &file, std::string_view &line,
                                      std::size_t regions) {
  std::string_view const field = take_field(line);
  std::string_view rest = field;
  std::uint64_t number = 0;
  if (!take_number(rest, number) || !rest.empty() || number >= regions)
    file.fail("a region below " + std::to_string(regions), lines::quoted(field));
  return number;
}

}  // namespace detail

GOSSIP_INLINE std::vector<std::optional<link>> read_region_links(std::string const &path,
                                                                 std::size_t regions) {
  detail::lines file(path);
  std::string_view line;
  if (!file.next(line)) throw input_error(path, "a header and links", "an empty file");
  std::string header;
  for (char const c : line)
    if (c != ' ') header += c;
  if (header != "from,to,latency,bandwidth")
    file.fail("a header 'from,to,latency,bandwidth'", detail::lines::quoted(line));
  std::vector<std::optional<link>> all(regions * regions);
  while (file.next(line)) {
    if (line.find_first_not_of(" \t") == std::string_view::npos) continue;
    std::size_t commas = 0;
    for (char const c : line) commas += c == ',';
    if (commas != 3) file.fail("4 fields between commas", detail::lines::quoted(line));
    std::string const where = path + ":" + std::to_string(file.number());
    std::size_t const from = detail::take_region(file, line, regions);
    std::size_t const to = detail::take_region(file, line, regions);
    virtual_time const latency = parse_duration(detail::take_field(line), where);
    double const bandwidth = parse_bandwidth(detail::take_field(line), where);
    std::optional<link> &place = all[from * regions + to];
    if (place)
      file.fail("one link from region " + std::to_string(from) + " to " + std::to_string(to),
                "two");
    place = link{latency, bandwidth};
  }
  for (std::size_t a = 0; a < regions; ++a)
    for (std::size_t b = a + 1; b < regions; ++b) {
      std::optional<link> &there = all[a * regions + b], &back = all[b * regions + a];
      if (!there && !back)
        throw input_error(
            path, "a link of regions " + std::to_string(a) + " and " + std::to_string(b), "none");
      if (!there) there = back;
      if (!back) back = there;
    }
  return all;
}

}  // namespace gossip
