// Communities: nodes of one block are joined with one probability, nodes of two with another.
// P. Holland, K. Laskey, S. Leinhardt, "Stochastic blockmodels: first steps", Social Networks 5
// (1983).
#pragma once

#include <cstddef>
#include <cstdint>

#include <gossip/core/described.hpp>
#include <gossip/topology/topology.hpp>

namespace gossip {

/// Blocks of equal size, also known as planted partition; node i is of block i / size. Drawn again
/// until connected unless allow_disconnected. O(nodes + edges) a draw.
struct stochastic_blocks {
  std::size_t blocks = 4;
  std::size_t block_size = 16;
  double within = 0.5;
  double between = 0.02;
  bool allow_disconnected = false;

  graph_size size() const;
  graph build(std::uint64_t seed) const;

  static constexpr char const *name = "stochastic_blocks";
  static constexpr char const *meaning =
      "random communities with many edges within and few between them";
  static constexpr auto members() {
    return member_list{
        described("blocks", &stochastic_blocks::blocks, "number of communities",
                  {.least = 1, .most = node_limit}),
        described("size", &stochastic_blocks::block_size, "number of nodes of each community",
                  {.least = 1, .most = node_limit}),
        described("within", &stochastic_blocks::within,
                  "probability of an edge between two nodes of one community",
                  {.least = 0, .most = 1}),
        described("between", &stochastic_blocks::between,
                  "probability of an edge between nodes of two communities",
                  {.least = 0, .most = 1}),
        described("allow_disconnected", &stochastic_blocks::allow_disconnected,
                  "accept a graph that is not connected")};
  }

 private:
  struct pair {
    std::uint64_t larger, smaller;
  };

  /// Number k of the pairs (1,0), (2,0), (2,1), (3,0), ...
  static pair pair_at(std::uint64_t k);

  graph draw(std::uint64_t seed, std::uint64_t attempt) const;
};

static_assert(topology<stochastic_blocks>);

}  // namespace gossip

#ifndef GOSSIP_COMPILED
#include <gossip/topology/detail/stochastic_blocks.ipp>
#endif
