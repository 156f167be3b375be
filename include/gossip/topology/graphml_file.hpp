// A graph from a GraphML file, as networkx, igraph, Gephi, Boost.Graph and graph/graphml.hpp write
// them. U. Brandes, M. Eiglsperger, I. Herman, M. Himsolt, M. S. Marshall, "GraphML progress
// report: structural layer proposal", Graph Drawing 2001.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include <gossip/core/lines.hpp>
#include <gossip/core/node.hpp>
#include <gossip/topology/detail/file_members.hpp>
#include <gossip/topology/detail/xml_tags.hpp>
#include <gossip/topology/topology.hpp>

namespace gossip {

/// The undirected graph of a GraphML file, gzipped or not. Ids are any text; nodes are numbered in
/// the order of the file. Weights and all other data are ignored, self-loops dropped, repeated
/// edges merged. Directed graphs, hyperedges and graphs within nodes are refused.
struct graphml_file {
  std::string path;
  bool allow_disconnected = false;
  bool largest_component = false;

  /// Throws input_error "path:line: expected the id of a node, got 'x'".
  graph build(std::uint64_t /*seed*/ = 0) const { return build_from(detail::lines(path)); }

  /// The same of a file of which nothing has been read.
  graph build_from(detail::lines text) const;

  /// Whether a file begins as XML does, behind blanks.
  static bool is_markup(std::string_view beginning) {
    std::size_t const first = beginning.find_first_not_of(" \t\r\n");
    return first != std::string_view::npos && beginning[first] == '<';
  }

  static constexpr char const *name = "graphml";
  static constexpr char const *meaning = "GraphML file, as networkx and Gephi write it";
  static constexpr auto members() { return detail::file_members<graphml_file>(); }

 private:
  static constexpr node unknown = std::numeric_limits<node>::max();

  /// An id, where it is mentioned first, and its node's number: edges may stand before their nodes.
  struct place {
    std::string const *id;
    std::size_t line;
    node number;
  };
  struct contents {
    std::unordered_map<std::string, node> by_id;  // indices of places
    std::vector<place> places;
    std::vector<edge> edges;  // of places
    std::size_t nodes = 0;
    bool begun = false;  // the graph
  };

  static void take(detail::xml_tags const &file, detail::xml_tag const &tag, contents &read);

  static void begin_graph(detail::xml_tags const &file, detail::xml_tag const &tag, contents &read);

  /// The place of an id, which may be new.
  static place &place_of(detail::xml_tags const &file, detail::xml_tag const &tag,
                         char const *attribute, contents &read);

  static void take_node(detail::xml_tags const &file, detail::xml_tag const &tag, contents &read);

  static void take_edge(detail::xml_tags const &file, detail::xml_tag const &tag, contents &read);
};

static_assert(topology<graphml_file>);

}  // namespace gossip

#ifndef GOSSIP_COMPILED
#include <gossip/topology/detail/graphml_file.ipp>
#endif
