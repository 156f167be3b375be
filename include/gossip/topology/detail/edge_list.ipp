// Definitions of topology/edge_list.hpp.
#pragma once

#include <gossip/topology/edge_list.hpp>

#include <algorithm>
#include <charconv>
#include <system_error>

#include <gossip/core/inline.hpp>
#include <gossip/topology/detail/settle.hpp>

namespace gossip {

GOSSIP_INLINE graph edge_list::build_from(detail::lines &file) const {
  contents const read = read_lines(file);
  std::vector<std::uint64_t> numbers = read.ends;  // ascending: the place is the new number
  std::sort(numbers.begin(), numbers.end());
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
  auto const renumbered = [&numbers](std::uint64_t number) {
    auto const place = std::lower_bound(numbers.begin(), numbers.end(), number);
    return static_cast<node>(place - numbers.begin());
  };
  std::vector<edge> edges;
  edges.reserve(read.ends.size() / 2);
  for (std::size_t k = 0; k < read.ends.size(); k += 2)
    edges.push_back({renumbered(read.ends[k]), renumbered(read.ends[k + 1])});
  return detail::settle(graph::undirected(numbers.size(), edges), path, allow_disconnected,
                        largest_component)
      .without_columns(read.columns - 2);
}

GOSSIP_INLINE edge_list::contents edge_list::read_lines(detail::lines &file) const {
  std::string const first(file.beginning().substr(0, 64));
  bool const bipartite = first.starts_with("% bip");
  contents read;
  detail::text_format format;
  std::string_view line;
  while (file.next(line)) {
    if (detail::is_comment(line)) {
      if (line.find_first_not_of(" \t") == std::string_view::npos && !read.ends.empty())
        format.take("");
      continue;
    }
    line = line.substr(0, line.find(" #"));
    format.take(line);
    std::uint64_t from = 0, to = 0;
    std::string_view rest = line;
    if (!detail::take_number(rest, from) || !detail::take_number(rest, to))
      refuse(file, format, first, "two node numbers below 2^64", line);
    std::size_t const columns = 2 + further_columns(rest);
    if (columns > 4)
      refuse(file, format, first, "two node numbers and at most a weight and a time", line);
    if (read.columns == 0) read.columns = columns;
    if (columns != read.columns)
      refuse(file, format, first,
             std::to_string(read.columns) + " columns, as in the first line of numbers", line);
    if (read.ends.size() == 2 * graph::most_edges)
      file.fail("at most " + std::to_string(graph::most_edges) + " edges", "more edges");
    if (bipartite && std::max(from, to) >= second_set)
      file.fail("node numbers below 2^63 in a bipartite file", detail::lines::quoted(line));
    read.ends.push_back(from);
    read.ends.push_back(bipartite ? to | second_set : to);
  }
  if (read.ends.empty()) throw input_error(path, "at least one edge", "none");
  if (format.first_column_counts() || format.is_metis() || format.is_matrix())
    throw input_error(path, "an edge list",
                      "numbers that can be read in two ways" + format.guess(first));
  return read;
}

GOSSIP_INLINE std::size_t edge_list::further_columns(std::string_view rest) {
  constexpr std::string_view separators = " \t,";
  for (std::size_t columns = 0;; ++columns) {
    std::size_t const at = rest.find_first_not_of(separators);
    if (at == std::string_view::npos) return columns;
    rest.remove_prefix(at);
    if (rest.front() == '{' && columns == 0) return rest.back() == '}' ? 1 : 3;
    std::string_view word = rest.substr(0, rest.find_first_of(separators));
    rest.remove_prefix(word.size());
    if (word.front() == '+') word.remove_prefix(1);
    double number = 0;
    auto const [stop, fault] = std::from_chars(word.data(), word.data() + word.size(), number);
    bool const known = stop == word.data() + word.size() && fault != std::errc::invalid_argument;
    if (!known || columns == 2) return 3;
  }
}

GOSSIP_INLINE void edge_list::refuse(detail::lines &file, detail::text_format format,
                                     std::string const &first, std::string const &expected,
                                     std::string_view line) {
  std::string const got = detail::lines::quoted(line);
  std::string const where = file.path() + ":" + std::to_string(file.number());
  while (file.next(line))
    if (!detail::is_comment(line) || line.find_first_not_of(" \t") == std::string_view::npos)
      format.take(line);
  throw input_error(where, expected, got + format.guess(first));
}

}  // namespace gossip
