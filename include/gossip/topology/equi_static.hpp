// EquiTopo's static networks, D-EquiStatic and U-EquiStatic. Z. Song, W. Li, K. Jin, L. Shi, M.
// Yan, W. Yin, K. Yuan, "Communication-efficient topologies for decentralized learning with O(1)
// consensus rate", NeurIPS 2022.
#pragma once

#include <cstddef>
#include <cstdint>

#include <gossip/core/described.hpp>
#include <gossip/topology/topology.hpp>

namespace gossip {

/// Node i hears from i + a (modulo nodes) for each of so many random offsets a; undirected from
/// i - a too. For the weights `equi_weights`. Deviations from the paper: offsets are distinct, not
/// drawn with replacement; undirected a and nodes - a count as one; and they are drawn again until
/// the network is connected (offsets and nodes have no common divisor).
struct equi_static {
  std::size_t nodes = 16;
  std::size_t offsets = 4;
  bool directed = false;

  /// From above: nodes / 2 edges less in an undirected network with the offset nodes / 2.
  graph_size size() const {
    return {nodes, nodes > 1 ? static_cast<double>(nodes) * static_cast<double>(offsets) : 0.0};
  }
  graph build(std::uint64_t seed) const;

  static constexpr char const *name = "equi_static";
  static constexpr char const *meaning =
      "random offsets a that are common to all nodes: node i is joined with the nodes i + a";
  static constexpr auto members() {
    return member_list{
        described("nodes", &equi_static::nodes, "number of nodes",
                  {.least = 1, .most = node_limit}),
        described("offsets", &equi_static::offsets,
                  "number of random offsets; an undirected graph has two neighbors per offset",
                  {.least = 1, .most = node_limit}),
        described("directed", &equi_static::directed, "node i receives from the nodes i + a only")};
  }

 private:
  graph draw(std::uint64_t seed, std::uint64_t attempt) const;
};

static_assert(topology<equi_static>);

}  // namespace gossip

#ifndef GOSSIP_COMPILED
#include <gossip/topology/detail/equi_static.ipp>
#endif
