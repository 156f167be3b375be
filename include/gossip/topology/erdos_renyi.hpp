// Every pair of nodes joined with the same probability (E. Gilbert 1959; P. Erdos, A. Renyi 1959),
// drawn by geometric skips over the pairs that are not: V. Batagelj, U. Brandes 2005, Algorithm 1.
#pragma once

#include <cstddef>
#include <cstdint>

#include <gossip/core/described.hpp>
#include <gossip/core/elementary.hpp>
#include <gossip/topology/detail/geometric_skips.hpp>
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
  graph build(std::uint64_t seed) const;

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
  void check() const;

  /// ln of the nodes without an edge, on average: n (1 - p)^(n - 1).
  double log_isolated() const {
    double const n = static_cast<double>(nodes);
    if (probability == 1.0 || nodes == 1) return 0;
    return elementary::log(n) + (n - 1.0) * detail::log_of_no_edge(probability);
  }

  graph draw(std::uint64_t seed, std::uint64_t attempt) const;
};

static_assert(topology<erdos_renyi>);

}  // namespace gossip

#ifndef GOSSIP_COMPILED
#include <gossip/topology/detail/erdos_renyi.ipp>
#endif
