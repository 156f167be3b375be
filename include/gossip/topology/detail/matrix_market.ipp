// Definitions of topology/matrix_market.hpp.
#pragma once

#include <gossip/topology/matrix_market.hpp>

#include <algorithm>
#include <sstream>

#include <gossip/core/error.hpp>
#include <gossip/core/inline.hpp>
#include <gossip/topology/detail/settle.hpp>

namespace gossip {

GOSSIP_INLINE graph matrix_market::build_from(detail::lines &file) const {
  bool const has_values = check_banner(file);
  size_line const size = read_size(file);
  std::vector<edge> const edges = read_entries(file, size);
  // Nodes without an entry are known from the size line alone, which may claim anything.
  if (size.nodes > 2 * edges.size() + most_unproven)
    throw input_error(path,
                      "at most " + std::to_string(2 * edges.size() + most_unproven) +
                          " nodes with " + std::to_string(edges.size()) + " entries",
                      std::to_string(size.nodes));
  return detail::settle(graph::undirected(static_cast<std::size_t>(size.nodes), edges), path,
                        allow_disconnected, largest_component)
      .without_columns(has_values ? 1 : 0);
}

GOSSIP_INLINE bool matrix_market::check_banner(detail::lines &file) {
  std::string_view line;
  if (!file.next(line)) throw input_error(file.path(), "a Matrix Market file", "an empty file");
  std::istringstream words(lower_case(line));
  std::string banner, object, format, field, symmetry;
  words >> banner >> object >> format >> field >> symmetry;
  bool const known_field = field == "pattern" || field == "real" || field == "integer";
  bool const known_symmetry = symmetry == "symmetric" || symmetry == "general";
  if (!is_banner(line) || object != "matrix" || format != "coordinate" || !known_field ||
      !known_symmetry)
    file.fail("'%%MatrixMarket matrix coordinate pattern|real|integer symmetric|general'",
              detail::lines::quoted(line));
  return field != "pattern";
}

GOSSIP_INLINE matrix_market::size_line matrix_market::read_size(detail::lines &file) {
  std::string_view line;
  while (file.next(line)) {
    if (is_blank(line) || line.starts_with('%')) continue;
    std::string_view rest = line;
    std::uint64_t rows = 0;
    size_line size;
    if (!detail::take_number(rest, rows) || !detail::take_number(rest, size.nodes) ||
        !detail::take_number(rest, size.entries))
      file.fail("a size line 'rows columns entries'", detail::lines::quoted(line));
    if (rows != size.nodes)
      file.fail("a square matrix",
                std::to_string(rows) + " rows and " + std::to_string(size.nodes) + " columns");
    if (rows == 0) file.fail("at least one node", "none");
    return size;
  }
  file.fail("a size line 'rows columns entries'", "the end of the file");
}

GOSSIP_INLINE std::vector<edge> matrix_market::read_entries(detail::lines &file, size_line size) {
  std::vector<edge> edges;  // grows with the file, not with what the size line claims
  std::string_view line;
  while (file.next(line)) {
    if (is_blank(line) || line.starts_with('%')) continue;
    if (edges.size() == std::min<std::uint64_t>(size.entries, graph::most_edges))
      file.fail(std::to_string(edges.size()) + " entries", "more");
    edges.push_back(read_entry(file, line, size.nodes));
  }
  if (edges.size() < size.entries)
    file.fail(std::to_string(size.entries) + " entries", std::to_string(edges.size()));
  return edges;
}

GOSSIP_INLINE edge matrix_market::read_entry(detail::lines &file, std::string_view line,
                                             std::uint64_t nodes) {
  std::string_view rest = line;
  std::uint64_t from = 0;
  std::uint64_t to = 0;
  std::uint64_t const most = std::min<std::uint64_t>(nodes, static_cast<node>(-1));
  if (!detail::take_number(rest, from) || !detail::take_number(rest, to) ||
      std::min(from, to) < 1 || std::max(from, to) > most)
    file.fail("two node numbers from 1 to " + std::to_string(most), detail::lines::quoted(line));
  return {static_cast<node>(from - 1), static_cast<node>(to - 1)};
}

}  // namespace gossip
