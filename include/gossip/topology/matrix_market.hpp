// A graph from a Matrix Market file: R. Boisvert, R. Pozo, K. Remington, "The Matrix Market
// exchange formats", NISTIR 5935, 1996; the coordinate format.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <gossip/core/lines.hpp>
#include <gossip/topology/detail/file_members.hpp>
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
  graph build_from(detail::lines &file) const;

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
  static bool check_banner(detail::lines &file);

  static bool is_blank(std::string_view line) {
    return line.find_first_not_of(" \t") == std::string_view::npos;
  }

  static size_line read_size(detail::lines &file);

  static std::vector<edge> read_entries(detail::lines &file, size_line size);

  static edge read_entry(detail::lines &file, std::string_view line, std::uint64_t nodes);
};

static_assert(topology<matrix_market>);

}  // namespace gossip

#ifndef GOSSIP_COMPILED
#include <gossip/topology/detail/matrix_market.ipp>
#endif
