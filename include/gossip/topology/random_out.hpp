// A directed random graph in which every node sends to the same number of others.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <gossip/core/described.hpp>
#include <gossip/core/elementary.hpp>
#include <gossip/core/error.hpp>
#include <gossip/core/random.hpp>
#include <gossip/topology/detail/connected_draw.hpp>
#include <gossip/topology/detail/geometric_skips.hpp>
#include <gossip/topology/detail/require.hpp>
#include <gossip/topology/topology.hpp>

namespace gossip {

/// Directed: node i sends to `degree` distinct others, drawn uniformly; how many it hears from
/// differs. Drawn again until every node reaches every other. O(nodes * degree^2) a draw.
struct random_out {
  std::size_t nodes = 16;
  std::size_t degree = 4;

  graph_size size() const {
    return {nodes, static_cast<double>(nodes) * static_cast<double>(degree)};
  }
  graph build(std::uint64_t seed) const {
    detail::require_at_least("random_out", "nodes", 1, nodes);
    if (degree >= nodes && nodes > 1)
      throw input_error("random_out: degree",
                        "a number below nodes (" + std::to_string(nodes) + ")",
                        std::to_string(degree));
    detail::require_edges_fit("random_out", size().edges);
    return detail::connected_draw(
        {.refusal = "random_out: found no strongly connected graph of " + std::to_string(nodes) +
                    " nodes and degree " + std::to_string(degree) + "; " + usual_degree(),
         .directed = true,
         .log_alone = log_unheard()},
        [&](std::uint64_t attempt) { return draw(seed, attempt); });
  }

  static constexpr char const *name = "random_out";
  static constexpr char const *meaning =
      "random, directed, strongly connected: every node sends to degree other nodes";
  static constexpr auto members() {
    return member_list{
        described("nodes", &random_out::nodes, "number of nodes", {.least = 1, .most = node_limit}),
        described("degree", &random_out::degree, "number of nodes to which a node sends",
                  {.most = node_limit})};
  }

 private:
  /// ln of the nodes that nobody sends to, on average: n (1 - degree / (n - 1))^(n - 1).
  double log_unheard() const {
    double const n = static_cast<double>(nodes), share = static_cast<double>(degree) / (n - 1);
    if (nodes == 1 || degree + 1 == nodes) return 0;
    return elementary::log(n) + (n - 1) * detail::log_of_no_edge(share);
  }
  /// A degree that will do, below the number of nodes.
  std::string usual_degree() const {
    std::size_t const usual =
        static_cast<std::size_t>(elementary::log(static_cast<double>(nodes))) + 4;
    if (usual < nodes) return std::to_string(usual) + " (ln n + 3) is usually enough";
    return std::to_string(nodes - 1) + ", to all other nodes, is always enough";
  }

  graph draw(std::uint64_t seed, std::uint64_t attempt) const {
    std::vector<edge> arcs;
    arcs.reserve(nodes * degree);
    std::vector<node> chosen;
    for (std::size_t i = 0; nodes > 1 && i < nodes; ++i) {
      keyed_random random(seed, purpose::topology, static_cast<std::uint32_t>(i), attempt);
      chosen.clear();
      while (chosen.size() < degree) {
        node const other = random.below(static_cast<std::uint32_t>(nodes));
        if (other == i || std::ranges::find(chosen, other) != chosen.end()) continue;
        chosen.push_back(other);
        arcs.push_back({static_cast<node>(i), other});
      }
    }
    return graph::directed(nodes, arcs);
  }
};

static_assert(topology<random_out>);

}  // namespace gossip
