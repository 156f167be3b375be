// A graph from a text file with a row of its adjacency matrix a line.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <gossip/core/error.hpp>
#include <gossip/core/lines.hpp>
#include <gossip/topology/detail/file_members.hpp>
#include <gossip/topology/detail/settle.hpp>
#include <gossip/topology/topology.hpp>

namespace gossip {

/// The undirected graph of a symmetric matrix, gzipped or not, as numpy.savetxt writes it: numbers
/// between blanks, commas, semicolons or tabs, a row a line, an edge where a number is not 0, in
/// either triangle. Comments are those of edge_list. The diagonal is dropped, what is not 0 is not
/// used further.
struct adjacency_matrix {
  std::string path;
  bool allow_disconnected = false;
  bool largest_component = false;

  /// Throws input_error "path:line: expected 11 numbers, as in the first row, got 10"; where the
  /// matrix is not symmetric, with the two places.
  graph build(std::uint64_t /*seed*/ = 0) const {
    detail::lines file(path);
    std::vector<double> numbers;
    std::vector<edge> entries;
    std::size_t rows = 0, columns = 0;
    std::string spaced;
    for (std::string_view line; file.next(line);) {
      if (detail::is_comment(line)) continue;
      spaced = with_commas(line);
      if (!detail::read_numbers(spaced, numbers))
        file.fail("a row of numbers", detail::lines::quoted(line));
      if (columns == 0) columns = numbers.size();
      if (numbers.size() != columns)
        file.fail(std::to_string(columns) + " numbers, as in the first row",
                  std::to_string(numbers.size()));
      if (rows == columns)
        file.fail(std::to_string(columns) + " rows, as columns", "a further row");
      for (std::size_t k = 0; k < columns; ++k)
        if (numbers[k] != 0)  // also what is no number
          entries.push_back({static_cast<node>(rows), static_cast<node>(k)});
      ++rows;
    }
    if (rows == 0) throw input_error(path, "a row of numbers", "an empty file");
    if (rows != columns)
      throw input_error(path, std::to_string(columns) + " rows, as columns", std::to_string(rows));
    require_symmetric(rows, entries);
    return detail::settle(graph::undirected(rows, once(entries)), path, allow_disconnected,
                          largest_component);
  }

  static constexpr char const *name = "adjacency_matrix";
  static constexpr char const *meaning =
      "file with a row of a symmetric matrix per line, as numpy.savetxt writes it";
  static constexpr auto members() { return detail::file_members<adjacency_matrix>(); }

 private:
  /// The same numbers between commas.
  static std::string with_commas(std::string_view line) {
    std::string text;
    for (char const c : line) {
      bool const between = c == ' ' || c == '\t' || c == ',' || c == ';';
      if (!between)
        text += c;
      else if (!text.empty() && text.back() != ',')
        text += ',';
    }
    if (text.ends_with(',')) text.pop_back();
    return text;
  }

  void require_symmetric(std::size_t nodes, std::vector<edge> const &entries) const {
    graph const arcs = graph::directed(nodes, entries);
    for (std::size_t i = 0; i < nodes; ++i)
      for (node const j : arcs.neighbors(i))
        if (!arcs.has_edge(j, i))
          throw input_error(path, "a symmetric matrix",
                            "an entry in row " + std::to_string(i + 1) + ", column " +
                                std::to_string(j + 1) + " and none in row " +
                                std::to_string(j + 1) + ", column " + std::to_string(i + 1));
  }

  /// Each pair of entries once, and the diagonal.
  static std::vector<edge> once(std::vector<edge> const &entries) {
    std::vector<edge> upper;
    for (edge const e : entries)
      if (e.from <= e.to) upper.push_back(e);
    return upper;
  }
};

static_assert(topology<adjacency_matrix>);

}  // namespace gossip
