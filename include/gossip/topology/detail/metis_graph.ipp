// Definitions of topology/metis_graph.hpp.
#pragma once

#include <gossip/topology/metis_graph.hpp>

#include <gossip/core/error.hpp>
#include <gossip/core/inline.hpp>
#include <gossip/topology/detail/settle.hpp>

namespace gossip {

GOSSIP_INLINE graph metis_graph::build(std::uint64_t /*seed*/) const {
  detail::lines file(path);
  header const head = read_header(file);
  std::vector<edge> edges;
  std::string_view line;
  std::uint64_t read = 0;
  while (file.next(line)) {
    if (line.starts_with('%')) continue;
    bool const blank = line.find_first_not_of(" \t") == std::string_view::npos;
    if (read == head.nodes && blank) continue;
    if (read == head.nodes)
      file.fail(std::to_string(head.nodes) + " lines of nodes", "a further line");
    read_node(file, line, head, static_cast<node>(read++), edges);
  }
  if (read != head.nodes)
    throw input_error(path, std::to_string(head.nodes) + " lines of nodes", std::to_string(read));
  if (edges.size() != 2 * head.edges)
    throw input_error(path, std::to_string(head.edges) + " edges, each from both of its nodes",
                      std::to_string(edges.size()) + " neighbors in all");
  std::vector<edge> once;
  for (edge const e : edges)
    if (e.from <= e.to) once.push_back(e);
  return detail::settle(graph::undirected(head.nodes, once), path, allow_disconnected,
                        largest_component);
}

GOSSIP_INLINE metis_graph::header metis_graph::read_header(detail::lines &file) {
  std::string_view line;
  while (file.next(line)) {
    if (detail::is_comment(line)) continue;
    std::string_view rest = line;
    std::uint64_t nodes = 0, edges = 0, format = 0, constraints = 1;
    bool const told = detail::take_number(rest, nodes) && detail::take_number(rest, edges);
    if (detail::take_number(rest, format)) detail::take_number(rest, constraints);
    bool const known = format % 10 <= 1 && format / 10 % 10 <= 1 && format / 100 <= 1;
    if (!told || !known || rest.find_first_not_of(" \t") != std::string_view::npos)
      file.fail("'nodes edges [format [constraints]]', format three digits of 0 or 1",
                detail::lines::quoted(line));
    if (nodes == 0 || nodes >= graph::most_edges || edges > graph::most_edges)
      file.fail("from 1 to " + std::to_string(graph::most_edges) + " nodes and edges",
                std::to_string(nodes) + " and " + std::to_string(edges));
    return {nodes, edges, format / 100 + (format / 10 % 10) * constraints, format % 10 == 1};
  }
  throw input_error(file.path(), "a line 'nodes edges'", "an empty file");
}

GOSSIP_INLINE void metis_graph::read_node(detail::lines const &file, std::string_view line,
                                          header const &head, node own, std::vector<edge> &edges) {
  std::uint64_t number = 0;
  std::string_view rest = line;
  for (std::size_t k = 0; k < head.before; ++k)
    if (!detail::take_number(rest, number))
      file.fail(std::to_string(head.before) + " weights ahead of the neighbors",
                detail::lines::quoted(line));
  while (detail::take_number(rest, number)) {
    if (number < 1 || number > head.nodes)
      file.fail("a node from 1 to " + std::to_string(head.nodes), std::to_string(number));
    edges.push_back({own, static_cast<node>(number - 1)});
    if (head.edge_weights && !detail::take_number(rest, number))
      file.fail("a weight after each neighbor", detail::lines::quoted(line));
  }
  if (rest.find_first_not_of(" \t") != std::string_view::npos)
    file.fail("numbers of nodes", detail::lines::quoted(line));
}

}  // namespace gossip
