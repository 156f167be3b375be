// Growth by preferential attachment, which makes hubs. A.-L. Barabasi, R. Albert, "Emergence of
// scaling in random networks", Science 286 (1999).
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <gossip/core/described.hpp>
#include <gossip/core/error.hpp>
#include <gossip/core/random.hpp>
#include <gossip/topology/detail/require.hpp>
#include <gossip/topology/topology.hpp>

namespace gossip {

/// A star of edges_each + 1 nodes grows: every further node joins edges_each distinct nodes, drawn
/// with probability in proportion to their degree. Connected. O(edges).
struct barabasi_albert {
  std::size_t nodes = 16;
  std::size_t edges_each = 2;

  graph_size size() const {
    return {nodes, static_cast<double>(edges_each) *
                       (static_cast<double>(nodes) - static_cast<double>(edges_each))};
  }
  graph build(std::uint64_t seed) const {
    detail::require_at_least("barabasi_albert", "edges_each", 1, edges_each);
    if (nodes <= edges_each)
      throw input_error("barabasi_albert: nodes",
                        "more than edges_each (" + std::to_string(edges_each) + ")",
                        std::to_string(nodes));
    detail::require_edges_fit("barabasi_albert", size().edges);
    keyed_random random(seed, purpose::topology, 0, 0);
    std::vector<edge> edges;
    std::vector<node> ends;  // a node stands here once for each of its edges
    edges.reserve(edges_each * (nodes - edges_each));
    ends.reserve(2 * edges.capacity());
    auto const join = [&](std::size_t a, std::size_t b) {
      edges.push_back({static_cast<node>(a), static_cast<node>(b)});
      ends.insert(ends.end(), {static_cast<node>(a), static_cast<node>(b)});
    };
    for (std::size_t i = 1; i <= edges_each; ++i) join(0, i);
    std::vector<node> chosen;
    for (std::size_t i = edges_each + 1; i < nodes; ++i) {
      chosen.clear();
      while (chosen.size() < edges_each) {
        node const other = ends[random.below(static_cast<std::uint32_t>(ends.size()))];
        if (std::ranges::find(chosen, other) == chosen.end()) chosen.push_back(other);
      }
      for (node const other : chosen) join(other, i);
    }
    return graph::undirected(nodes, edges);
  }

  static constexpr char const *name = "barabasi_albert";
  static constexpr char const *meaning =
      "random, connected, preferential attachment: a few nodes become hubs";
  static constexpr auto members() {
    return member_list{
        described("nodes", &barabasi_albert::nodes, "number of nodes",
                  {.least = 2, .most = node_limit}),
        described("edges_each", &barabasi_albert::edges_each,
                  "number of edges that each new node adds", {.least = 1, .most = node_limit})};
  }
};

static_assert(topology<barabasi_albert>);

}  // namespace gossip
