// Definitions of topology/graphml_file.hpp.
#pragma once

#include <gossip/topology/graphml_file.hpp>

#include <utility>

#include <gossip/core/error.hpp>
#include <gossip/core/inline.hpp>
#include <gossip/topology/detail/settle.hpp>

namespace gossip {

GOSSIP_INLINE graph graphml_file::build_from(detail::lines text) const {
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

GOSSIP_INLINE void graphml_file::take(detail::xml_tags const &file, detail::xml_tag const &tag,
                                      contents &read) {
  if (file.parent().empty() && tag.name != "graphml")
    file.fail("<graphml>", detail::lines::quoted("<" + tag.name + ">"));
  if (tag.name == "graph" && (file.parent() == "graphml" || file.parent() == "node"))
    begin_graph(file, tag, read);
  if (file.parent() != "graph") return;
  if (tag.name == "node") take_node(file, tag, read);
  if (tag.name == "edge") take_edge(file, tag, read);
  if (tag.name == "hyperedge") file.fail("edges of two nodes", "a hyperedge");
}

GOSSIP_INLINE void graphml_file::begin_graph(detail::xml_tags const &file,
                                             detail::xml_tag const &tag, contents &read) {
  if (file.parent() == "node") file.fail("nodes without nested graphs", "a graph in a node");
  if (std::exchange(read.begun, true)) file.fail("one graph in the file", "a second graph");
  std::string const *const kind = tag.attribute("edgedefault");
  if (!kind || *kind != "undirected")
    file.fail("edgedefault=\"undirected\"", kind ? detail::lines::quoted(*kind) : "none");
}

GOSSIP_INLINE graphml_file::place &graphml_file::place_of(detail::xml_tags const &file,
                                                          detail::xml_tag const &tag,
                                                          char const *attribute, contents &read) {
  std::string const *const id = tag.attribute(attribute);
  if (!id) file.fail("<" + tag.name + "> with " + attribute, "none");
  std::size_t const next = read.places.size();
  if (next == unknown) file.fail("fewer nodes than " + std::to_string(unknown), "more");
  auto const [at, added] = read.by_id.try_emplace(*id, static_cast<node>(next));
  if (added) read.places.push_back({&at->first, file.line(), unknown});
  return read.places[at->second];
}

GOSSIP_INLINE void graphml_file::take_node(detail::xml_tags const &file, detail::xml_tag const &tag,
                                           contents &read) {
  place &own = place_of(file, tag, "id", read);
  if (own.number != unknown) file.fail("each node once", detail::lines::quoted(*own.id) + " twice");
  own.number = static_cast<node>(read.nodes++);
}

GOSSIP_INLINE void graphml_file::take_edge(detail::xml_tags const &file, detail::xml_tag const &tag,
                                           contents &read) {
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

}  // namespace gossip
