// A graph from a text file with two node numbers a line, as SNAP and many others publish them.
#pragma once

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include <gossip/core/error.hpp>
#include <gossip/core/lines.hpp>
#include <gossip/topology/detail/file_members.hpp>
#include <gossip/topology/detail/settle.hpp>
#include <gossip/topology/detail/text_format.hpp>
#include <gossip/topology/topology.hpp>

namespace gossip {

/// The undirected graph of an edge list, gzipped or not. Comments begin with #, % or //; numbers
/// are separated by blanks or commas. All lines have the same layout: two node numbers, then
/// nothing, a number (a weight or a time), two of them (KONECT), or the attributes of networkx in
/// braces, which are not used. Node numbers need not be dense: they become 0..n-1 in ascending
/// order; of a bipartite file of KONECT ("% bip"), whose columns count apart, those of the second
/// column behind those of the first. Self-loops are dropped, repeated edges merged. With
/// largest_component set the rest of a graph in pieces is left out.
struct edge_list {
  std::string path;
  bool allow_disconnected = false;
  bool largest_component = false;

  /// Throws input_error "path:line: expected two node numbers below 2^64, got 'abc'", with the
  /// format that another file looks like.
  graph build(std::uint64_t /*seed*/ = 0) const {
    detail::lines file(path);
    return build_from(file);
  }

  /// The same of a file of which nothing has been read.
  graph build_from(detail::lines &file) const {
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

  static constexpr char const *name = "edge_list";
  static constexpr char const *meaning =
      "file with two node numbers per line, as SNAP publishes graphs";
  static constexpr auto members() { return detail::file_members<edge_list>(); }

 private:
  struct contents {
    std::vector<std::uint64_t> ends;  // of all edges as the file numbers them, two an edge
    std::size_t columns = 0;          // of a line
  };
  static constexpr std::uint64_t second_set = std::uint64_t{1} << 63;

  contents read_lines(detail::lines &file) const {
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

  /// Columns behind the ends of an edge: numbers, or attributes in braces; 3 where they are no
  /// such.
  static std::size_t further_columns(std::string_view rest) {
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

  /// Reads on, for the format that the whole of the file looks like.
  [[noreturn]] static void refuse(detail::lines &file, detail::text_format format,
                                  std::string const &first, std::string const &expected,
                                  std::string_view line) {
    std::string const got = detail::lines::quoted(line);
    std::string const where = file.path() + ":" + std::to_string(file.number());
    while (file.next(line))
      if (!detail::is_comment(line) || line.find_first_not_of(" \t") == std::string_view::npos)
        format.take(line);
    throw input_error(where, expected, got + format.guess(first));
  }
};

static_assert(topology<edge_list>);

}  // namespace gossip
