// Definitions of topology/adjacency_matrix.hpp.
#pragma once

#include <gossip/topology/adjacency_matrix.hpp>

#include <gossip/core/error.hpp>
#include <gossip/core/inline.hpp>
#include <gossip/topology/detail/settle.hpp>

namespace gossip {

GOSSIP_INLINE graph adjacency_matrix::build(std::uint64_t /*seed*/) const {
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
    if (rows == columns) file.fail(std::to_string(columns) + " rows, as columns", "a further row");
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

GOSSIP_INLINE std::string adjacency_matrix::with_commas(std::string_view line) {
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

GOSSIP_INLINE void adjacency_matrix::require_symmetric(std::size_t nodes,
                                                       std::vector<edge> const &entries) const {
  graph const arcs = graph::directed(nodes, entries);
  for (std::size_t i = 0; i < nodes; ++i)
    for (node const j : arcs.neighbors(i))
      if (!arcs.has_edge(j, i))
        throw input_error(path, "a symmetric matrix",
                          "an entry in row " + std::to_string(i + 1) + ", column " +
                              std::to_string(j + 1) + " and none in row " + std::to_string(j + 1) +
                              ", column " + std::to_string(i + 1));
}

}  // namespace gossip
