// A graph from a file whose format is told by its content: GraphML, Matrix Market or edge list.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include <gossip/core/lines.hpp>
#include <gossip/topology/detail/file_members.hpp>
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

  /// Throws input_error "path:line: expected ..., got ...". The file is read once: it may be a
  /// pipe.
  graph build(std::uint64_t /*seed*/ = 0) const {
    detail::lines file(path);
    std::string_view const beginning = file.beginning();
    if (graphml_file::is_markup(beginning))
      return graphml_file{path, allow_disconnected, largest_component}.build_from(std::move(file));
    if (matrix_market::is_banner(beginning.substr(0, beginning.find('\n'))))
      return matrix_market{path, allow_disconnected, largest_component}.build_from(file);
    return edge_list{path, allow_disconnected, largest_component}.build_from(file);
  }

  static constexpr char const *name = "graph_file";
  static constexpr char const *meaning =
      "file in GraphML or Matrix Market format, as its content says, else an edge list";
  static constexpr auto members() { return detail::file_members<graph_file>(); }
};

static_assert(topology<graph_file>);

}  // namespace gossip
