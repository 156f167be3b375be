// A graph from a text file with a row of its adjacency matrix a line.
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
  graph build(std::uint64_t /*seed*/ = 0) const;

  static constexpr char const *name = "adjacency_matrix";
  static constexpr char const *meaning =
      "file with a row of a symmetric matrix per line, as numpy.savetxt writes it";
  static constexpr auto members() { return detail::file_members<adjacency_matrix>(); }

 private:
  /// The same numbers between commas.
  static std::string with_commas(std::string_view line);

  void require_symmetric(std::size_t nodes, std::vector<edge> const &entries) const;

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

#ifndef GOSSIP_COMPILED
#include <gossip/topology/detail/adjacency_matrix.ipp>
#endif
