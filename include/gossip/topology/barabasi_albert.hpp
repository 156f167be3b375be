// Growth by preferential attachment, which makes hubs. A.-L. Barabasi, R. Albert, "Emergence of
// scaling in random networks", Science 286 (1999).
#pragma once

#include <cstddef>
#include <cstdint>

#include <gossip/core/described.hpp>
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
  graph build(std::uint64_t seed) const;

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

#ifndef GOSSIP_COMPILED
#include <gossip/topology/detail/barabasi_albert.ipp>
#endif
