// A graph from a file whose format is told by its content: GraphML, Matrix Market or edge list.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include <gossip/core/described.hpp>
#include <gossip/core/lines.hpp>
#include <gossip/topology/edge_list.hpp>
#include <gossip/topology/graphml_file.hpp>
#include <gossip/topology/matrix_market.hpp>
#include <gossip/topology/topology.hpp>

namespace gossip {

/// A GraphML file if it begins as XML, a Matrix Market file if with that banner, else an edge list;
/// gzipped or not.
struct graph_file {
  std::string path;
  bool allow_disconnected = false;
  bool largest_component = false;

  /// Throws input_error "path:line: expected ..., got ...".
  graph build(std::uint64_t seed = 0) const {
    if (graphml_file::is_markup(path))
      return graphml_file{path, allow_disconnected, largest_component}.build(seed);
    if (begins_with_banner())
      return matrix_market{path, allow_disconnected, largest_component}.build(seed);
    return edge_list{path, allow_disconnected, largest_component}.build(seed);
  }

  static constexpr char const *name = "graph_file";
  static constexpr char const *meaning =
      "a GraphML or Matrix Market file, as its content says, or else an edge list";
  static constexpr auto members() {
    return member_list{described("path", &graph_file::path, "the file, gzipped or not"),
                       described("allow_disconnected", &graph_file::allow_disconnected,
                                 "take a graph in pieces as it is"),
                       described("largest_component", &graph_file::largest_component,
                                 "keep the largest piece only")};
  }

 private:
  bool begins_with_banner() const {
    detail::lines file(path);
    std::string_view first;
    return file.next(first) && matrix_market::is_banner(first);
  }
};

static_assert(topology<graph_file>);

}  // namespace gossip
