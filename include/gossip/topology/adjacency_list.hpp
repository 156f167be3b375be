// A graph from a text file with a node and its neighbors a line.
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

/// The undirected graph of adjacency lists, gzipped or not: a node, then its neighbors, all or
/// those that no earlier line has named (write_adjlist of networkx). A node has one line at most.
/// Comments and separators are those of edge_list; node numbers become 0..n-1 in ascending order.
/// Self-loops are dropped, an edge that both of its nodes name is one.
struct adjacency_list {
  std::string path;
  bool allow_disconnected = false;
  bool largest_component = false;

  /// Throws input_error "path:line: expected node numbers below 2^64, got 'a'".
  graph build(std::uint64_t /*seed*/ = 0) const;

  static constexpr char const *name = "adjacency_list";
  static constexpr char const *meaning = "file with a node and its neighbors per line";
  static constexpr auto members() { return detail::file_members<adjacency_list>(); }

 private:
  /// The ends of all edges, two an edge, and the nodes that have a line.
  void read(std::vector<std::uint64_t> &ends, std::vector<std::uint64_t> &numbers) const;

  [[noreturn]] static void refuse(detail::lines const &file, std::string_view line) {
    file.fail("node numbers below 2^64", detail::lines::quoted(line));
  }
};

static_assert(topology<adjacency_list>);

}  // namespace gossip

#ifndef GOSSIP_COMPILED
#include <gossip/topology/detail/adjacency_list.ipp>
#endif
