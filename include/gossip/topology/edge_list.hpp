// A graph from a text file with two node numbers a line, as SNAP and many others publish them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <gossip/core/error.hpp>
#include <gossip/core/lines.hpp>
#include <gossip/topology/detail/file_members.hpp>
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
  graph build_from(detail::lines &file) const;

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

  contents read_lines(detail::lines &file) const;

  /// Columns behind the ends of an edge: numbers, or attributes in braces; 3 where they are no
  /// such.
  static std::size_t further_columns(std::string_view rest);

  /// Reads on, for the format that the whole of the file looks like.
  [[noreturn]] static void refuse(detail::lines &file, detail::text_format format,
                                  std::string const &first, std::string const &expected,
                                  std::string_view line);
};

static_assert(topology<edge_list>);

}  // namespace gossip

#ifndef GOSSIP_COMPILED
#include <gossip/topology/detail/edge_list.ipp>
#endif
