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
#include <utility>
#include <vector>

#include <gossip/core/error.hpp>
#include <gossip/core/lines.hpp>
#include <gossip/core/node.hpp>
#include <gossip/topology/detail/file_members.hpp>
#include <gossip/topology/detail/settle.hpp>
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
  graph build_from(detail::lines text) const {
    detail::xml_tags file(std::move(text));
    contents read;
    detail::xml_tag tag;
    while (file.next(tag)) take(file, tag, read);
    if (read.places.empty()) throw input_error(path, "at least one node", "none");
    for (place const &p : read.places)
      if (p.number == unknown)
        throw input_error(path + ":" + std::to_string(p.line), "the id of a node",
                          detail::lines::quoted(*p.id));
    for (edge &e : read.edges) e = {read.places[e.from].number, read.places[e.to].number};
    return detail::settle(graph::undirected(read.nodes, read.edges), path, allow_disconnected,
                          largest_component);
  }

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

  static void take(detail::xml_tags const &file, detail::xml_tag const &tag, contents &read) {
    if (file.parent().empty() && tag.name != "graphml")
      file.fail("<graphml>", detail::lines::quoted("<" + tag.name + ">"));
    if (tag.name == "graph" && (file.parent() == "graphml" || file.parent() == "node"))
      begin_graph(file, tag, read);
    if (file.parent() != "graph") return;
    if (tag.name == "node") take_node(file, tag, read);
    if (tag.name == "edge") take_edge(file, tag, read);
    if (tag.name == "hyperedge") file.fail("edges of two nodes", "a hyperedge");
  }

  static void begin_graph(detail::xml_tags const &file, detail::xml_tag const &tag,
                          contents &read) {
    if (file.parent() == "node") file.fail("nodes without nested graphs", "a graph in a node");
    if (std::exchange(read.begun, true)) file.fail("one graph in the file", "a second graph");
    std::string const *const kind = tag.attribute("edgedefault");
    if (!kind || *kind != "undirected")
      file.fail("edgedefault=\"undirected\"", kind ? detail::lines::quoted(*kind) : "none");
  }

  /// The place of an id, which may be new.
  static place &place_of(detail::xml_tags const &file, detail::xml_tag const &tag,
                         char const *attribute, contents &read) {
    std::string const *const id = tag.attribute(attribute);
    if (!id) file.fail("<" + tag.name + "> with " + attribute, "none");
    std::size_t const next = read.places.size();
    if (next == unknown) file.fail("fewer nodes than " + std::to_string(unknown), "more");
    auto const [at, added] = read.by_id.try_emplace(*id, static_cast<node>(next));
    if (added) read.places.push_back({&at->first, file.line(), unknown});
    return read.places[at->second];
  }

  static void take_node(detail::xml_tags const &file, detail::xml_tag const &tag, contents &read) {
    place &own = place_of(file, tag, "id", read);
    if (own.number != unknown)
      file.fail("each node once", detail::lines::quoted(*own.id) + " twice");
    own.number = static_cast<node>(read.nodes++);
  }

  static void take_edge(detail::xml_tags const &file, detail::xml_tag const &tag, contents &read) {
    std::string const *const directed = tag.attribute("directed");
    if (directed && *directed != "false")
      file.fail("undirected edges", "directed=" + detail::lines::quoted(*directed));
    if (read.edges.size() == graph::most_edges)
      file.fail("at most " + std::to_string(graph::most_edges) + " edges", "more");
    auto const end = [&](char const *attribute) {
      return static_cast<node>(&place_of(file, tag, attribute, read) - read.places.data());
    };
    node const from = end("source");
    read.edges.push_back({from, end("target")});
  }
};

static_assert(topology<graphml_file>);

}  // namespace gossip
