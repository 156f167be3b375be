// Connected components of a graph, and the one place that refuses a network in pieces.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include <gossip/core/error.hpp>
#include <gossip/core/node.hpp>
#include <gossip/graph/graph.hpp>

namespace gossip {

/// The component of each node; arcs count in both directions (weak components).
struct component_map {
  std::vector<node> of;            // (n) component of each node, numbered by their smallest nodes
  std::vector<std::size_t> sizes;  // (components) nodes of each

  /// The component with the most nodes, the one with the smallest node among equals.
  std::size_t largest() const {
    return static_cast<std::size_t>(std::max_element(sizes.begin(), sizes.end()) - sizes.begin());
  }
};

/// The components of n nodes, neighbors(i) the nodes beside node i; by union-find with path
/// halving, the smallest node of a set is its root.
template <class Neighbors>
component_map components(std::size_t n, Neighbors neighbors) {
  std::vector<node> parent(n);  // (n)
  for (std::size_t i = 0; i < parent.size(); ++i) parent[i] = static_cast<node>(i);
  auto const root = [&parent](node i) {
    while (parent[i] != i) i = parent[i] = parent[parent[i]];
    return i;
  };
  for (std::size_t i = 0; i < n; ++i)
    for (node const j : neighbors(i)) {
      auto const [low, high] = std::minmax({root(static_cast<node>(i)), root(j)});
      parent[high] = low;
    }
  component_map result{std::vector<node>(n), {}};
  for (std::size_t i = 0; i < n; ++i) {
    node const first = root(static_cast<node>(i));
    if (first == i) {
      result.of[i] = static_cast<node>(result.sizes.size());
      result.sizes.push_back(0);
    }
    ++result.sizes[result.of[i] = result.of[first]];
  }
  return result;
}

/// The components of a graph.
inline component_map components(graph const &g) {
  return components(g.nodes(), [&g](std::size_t i) { return g.neighbors(i); });
}

/// Whether every node can be reached from every other, arcs taken in both directions.
inline bool is_connected(graph const &g) {
  return components(g).sizes.size() <= 1;
}

/// Strong connection: true where every node can be reached from every other along the arcs.
bool is_strongly_connected(graph const &g);

/// The largest component as a graph of its own, renumbered in ascending order.
graph largest_component(graph const &g);

/// Throws input_error if the graph is empty or in pieces: "x.txt: the graph has 13 components (the
/// largest has 3927 of 3959 nodes); set allow_disconnected". The remedy is the part after the ";".
void require_connected(graph const &g, std::string const &where,
                       std::string const &remedy = "set allow_disconnected");

}  // namespace gossip

#ifndef GOSSIP_COMPILED
#include <gossip/graph/detail/components.ipp>
#endif
