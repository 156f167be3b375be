// Graphs from and to the Boost Graph Library: its generators and algorithms on our networks.
#pragma once

#include <cstddef>
#include <string>
#include <type_traits>
#include <vector>

#include <gossip/core/error.hpp>
#include <gossip/core/node.hpp>
#include <gossip/graph/graph.hpp>

#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/graph_traits.hpp>
#include <boost/graph/properties.hpp>

namespace gossip {

namespace detail {

template <class BoostGraph>
inline constexpr bool is_directed =
    std::is_convertible_v<typename boost::graph_traits<BoostGraph>::directed_category,
                          boost::directed_tag>;

/// One pair for each edge; neighbour by neighbour if that is each arc once, or the only way.
template <class BoostGraph, class Index>
std::vector<edge> pairs_of(BoostGraph const &g, Index number) {
  constexpr bool has_neighbors = requires { adjacent_vertices(*vertices(g).first, g); };
  constexpr bool has_edges = requires { edges(g); };
  std::vector<edge> pairs;
  if constexpr (has_neighbors && (is_directed<BoostGraph> || !has_edges)) {
    auto const [first, last] = vertices(g);
    for (auto v = first; v != last; ++v) {
      auto const [near, end] = adjacent_vertices(*v, g);
      for (auto u = near; u != end; ++u) pairs.push_back({number(*v), number(*u)});
    }
  } else {
    auto const [first, last] = edges(g);
    for (auto e = first; e != last; ++e)
      pairs.push_back({number(source(*e, g)), number(target(*e, g))});
  }
  return pairs;
}

}  // namespace detail

/// The graph of a Boost.Graph model of VertexListGraph and of EdgeListGraph or AdjacencyGraph.
/// index maps its vertices to 0..n-1. Self-loops are dropped, parallel edges merged.
template <class BoostGraph, class IndexMap>
graph from_boost(BoostGraph const &g, IndexMap index) {
  std::size_t const n = checked_index(static_cast<std::size_t>(num_vertices(g)), "from_boost");
  auto const number = [&index, n](auto vertex) {
    auto const i = static_cast<std::size_t>(get(index, vertex));
    if (i >= n)
      throw input_error("from_boost", "vertex indices below " + std::to_string(n),
                        std::to_string(i));
    return static_cast<node>(i);
  };
  std::vector<edge> const pairs = detail::pairs_of(g, number);
  return detail::is_directed<BoostGraph> ? graph::directed(n, pairs) : graph::undirected(n, pairs);
}

/// The same with the graph's own vertex_index map.
template <class BoostGraph>
graph from_boost(BoostGraph const &g) {
  return from_boost(g, get(boost::vertex_index, g));
}

/// The graph as Boost's adjacency_list; Direction is boost::undirectedS, directedS or
/// bidirectionalS and must be what the graph is (input_error).
template <class Direction = boost::undirectedS>
boost::adjacency_list<boost::vecS, boost::vecS, Direction> to_boost(graph const &g) {
  constexpr bool directed = !std::is_same_v<Direction, boost::undirectedS>;
  if (directed != g.directed())
    throw input_error("to_boost", directed ? "a directed graph" : "an undirected graph",
                      directed ? "an undirected graph" : "a directed graph");
  boost::adjacency_list<boost::vecS, boost::vecS, Direction> result(g.nodes());
  for (edge const e : g.edge_list()) add_edge(e.from, e.to, result);
  return result;
}

}  // namespace gossip
