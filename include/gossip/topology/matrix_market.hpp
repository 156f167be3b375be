// A graph from a Matrix Market file: R. Boisvert, R. Pozo, K. Remington, "The Matrix Market
// exchange formats", NISTIR 5935, 1996; the coordinate format.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include <gossip/core/error.hpp>
#include <gossip/core/lines.hpp>
#include <gossip/topology/detail/file_members.hpp>
#include <gossip/topology/detail/settle.hpp>
#include <gossip/topology/topology.hpp>

namespace gossip {

/// The undirected graph whose edges are the entries of a square sparse matrix, gzipped or not.
/// Values are ignored; a general matrix gives an edge where either direction has an entry. The
/// banner may begin with one % (Network Repository's do). Nodes are those of the size line.
struct matrix_market {
  std::string path;
  bool allow_disconnected = false;
  bool largest_component = false;

  /// Throws input_error "path:line: expected ..., got ...".
  graph build(std::uint64_t /*seed*/ = 0) const {
    detail::lines file(path);
    return build_from(file);
  }

  /// The same of a file of which nothing has been read.
  graph build_from(detail::lines &file) const {
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

  /// Whether the first line of a file says that it is a Matrix Market file.
  static bool is_banner(std::string_view line) {
    return lower_case(line.substr(0, 15)).starts_with("%%matrixmarket") ||
           lower_case(line.substr(0, 14)).starts_with("%matrixmarket");
  }

  static constexpr char const *name = "matrix_market";
  static constexpr char const *meaning =
      "Matrix Market file: a sparse matrix with one entry per edge";
  static constexpr auto members() { return detail::file_members<matrix_market>(); }

 private:
  static constexpr std::uint64_t most_unproven = std::uint64_t{1} << 20;
  struct size_line {
    std::uint64_t nodes = 0;
    std::uint64_t entries = 0;
  };

  static std::string lower_case(std::string_view text) {
    std::string result(text);
    for (char &c : result)
      if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    return result;
  }

  /// True where entries have values.
  static bool check_banner(detail::lines &file) {
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

  static bool is_blank(std::string_view line) {
    return line.find_first_not_of(" \t") == std::string_view::npos;
  }

  static size_line read_size(detail::lines &file) {
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

  static std::vector<edge> read_entries(detail::lines &file, size_line size) {
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

  static edge read_entry(detail::lines &file, std::string_view line, std::uint64_t nodes) {
    std::string_view rest = line;
    std::uint64_t from = 0;
    std::uint64_t to = 0;
    std::uint64_t const most = std::min<std::uint64_t>(nodes, static_cast<node>(-1));
    if (!detail::take_number(rest, from) || !detail::take_number(rest, to) ||
        std::min(from, to) < 1 || std::max(from, to) > most)
      file.fail("two node numbers from 1 to " + std::to_string(most), detail::lines::quoted(line));
    return {static_cast<node>(from - 1), static_cast<node>(to - 1)};
  }
};

static_assert(topology<matrix_market>);

}  // namespace gossip
