// A directed random graph in which every node sends to the same number of others.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include <gossip/core/described.hpp>
#include <gossip/topology/detail/connected_draw.hpp>
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
  graph build(std::uint64_t seed) const;

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
  double log_unheard() const;
  /// A degree that will do, below the number of nodes.
  std::string usual_degree() const;

  graph draw(std::uint64_t seed, std::uint64_t attempt) const;
};

static_assert(topology<random_out>);

}  // namespace gossip

#ifndef GOSSIP_COMPILED
#include <gossip/topology/detail/random_out.ipp>
#endif
