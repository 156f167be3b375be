// Every pair of nodes joined with the same probability (E. Gilbert 1959; P. Erdos, A. Renyi 1959),
// drawn by geometric skips over the pairs that are not: V. Batagelj, U. Brandes 2005, Algorithm 1.
#pragma once

#include <cstddef>
#include <cstdint>
#include <sstream>
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

/// The random graph G(n, p), drawn again until it is connected (at most 100 times) unless
/// allow_disconnected. O(nodes + edges) a draw. About 2 ln(n) / n is usually enough to connect.
struct erdos_renyi {
  std::size_t nodes = 16;
  double probability = 0.35;
  bool allow_disconnected = false;

  graph_size size() const {
    double const n = static_cast<double>(nodes);
    return {nodes, probability * n * (n - 1.0) / 2.0};
  }
  graph build(std::uint64_t seed) const {
    check();
    std::ostringstream sentence;
    double const n = static_cast<double>(nodes);
    sentence << "erdos_renyi: found no connected graph of " << nodes << " nodes with probability "
             << probability << "; " << 2.0 * elementary::log(n) / n
             << " (2 ln n / n) is usually enough, or set allow_disconnected";
    return detail::connected_draw(
        {.refusal = sentence.str(), .waived = allow_disconnected, .log_alone = log_isolated()},
        [&](std::uint64_t attempt) { return draw(seed, attempt); });
  }

  static constexpr char const *name = "erdos_renyi";
  static constexpr char const *meaning =
      "random, every pair of nodes is joined with equal probability";
  static constexpr auto members() {
    return member_list{
        described("nodes", &erdos_renyi::nodes, "number of nodes",
                  {.least = 1, .most = node_limit}),
        described("allow_disconnected", &erdos_renyi::allow_disconnected,
                  "accept a graph that is not connected"),
        described("probability", &erdos_renyi::probability, "probability of an edge", {.most = 1})};
  }

 private:
  void check() const {
    detail::require_at_least("erdos_renyi", "nodes", 1, nodes);
    if (!(probability >= 0.0 && probability <= 1.0)) {
      std::ostringstream sentence;
      sentence << "erdos_renyi: probability must be between 0 and 1, got " << probability;
      throw input_error(sentence.str());
    }
    detail::require_edges_fit("erdos_renyi", static_cast<double>(nodes));
    detail::require_edges_fit("erdos_renyi", size().edges);
  }

  /// ln of the nodes without an edge, on average: n (1 - p)^(n - 1).
  double log_isolated() const {
    double const n = static_cast<double>(nodes);
    if (probability == 1.0 || nodes == 1) return 0;
    return elementary::log(n) + (n - 1.0) * detail::log_of_no_edge(probability);
  }

  graph draw(std::uint64_t seed, std::uint64_t attempt) const {
    keyed_random random(seed, purpose::topology, 0, attempt);
    double const n = static_cast<double>(nodes);
    double const pairs = n * (n - 1.0) / 2.0;
    detail::geometric_skips const skips(probability);
    std::vector<edge> edges;
    edges.reserve(static_cast<std::size_t>(probability * pairs));
    std::size_t larger = 1;   // the pairs in order: (1,0), (2,0), (2,1), (3,0), ...
    std::size_t smaller = 0;  // the next pair to be considered
    while (larger < nodes && probability > 0.0) {
      double const skip = skips.next(random);
      if (!(skip < pairs)) break;
      smaller += static_cast<std::size_t>(skip);
      while (larger < nodes && smaller >= larger) smaller -= larger++;
      if (larger < nodes)
        edges.push_back({static_cast<node>(smaller++), static_cast<node>(larger)});
    }
    return graph::undirected(nodes, edges);
  }
};

static_assert(topology<erdos_renyi>);

}  // namespace gossip
