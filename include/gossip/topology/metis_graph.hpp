// A graph from a file of METIS. G. Karypis, V. Kumar, "METIS: a software package for partitioning
// unstructured graphs", manual of version 5.1.0, section 4.1.
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

/// The undirected graph of a file of METIS or Chaco, gzipped or not: a line "nodes edges [format
/// [constraints]]", then a line for each node with its neighbors, counted from 1, which may be
/// empty. Weights of nodes and edges are not used. Comments begin with %.
struct metis_graph {
  std::string path;
  bool allow_disconnected = false;
  bool largest_component = false;

  /// Throws input_error "path:line: expected a node from 1 to 11, got 12".
  graph build(std::uint64_t /*seed*/ = 0) const;

  static constexpr char const *name = "metis";
  static constexpr char const *meaning =
      "METIS file: a header, then the neighbors of a node per line, counted from 1";
  static constexpr auto members() { return detail::file_members<metis_graph>(); }

 private:
  struct header {
    std::size_t nodes = 0, edges = 0;
    std::size_t before = 0;     // numbers of a line ahead of its neighbors: size and weights
    bool edge_weights = false;  // a number behind each neighbor
  };

  static header read_header(detail::lines &file);

  static void read_node(detail::lines const &file, std::string_view line, header const &head,
                        node own, std::vector<edge> &edges);
};

static_assert(topology<metis_graph>);

}  // namespace gossip

#ifndef GOSSIP_COMPILED
#include <gossip/topology/detail/metis_graph.ipp>
#endif
