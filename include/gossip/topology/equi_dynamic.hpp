// EquiTopo's networks of one peer a round, OD-EquiDyn and OU-EquiDyn. Z. Song, W. Li, K. Jin,
// L. Shi, M. Yan, W. Yin, K. Yuan, "Communication-efficient topologies for decentralized learning
// with O(1) consensus rate", NeurIPS 2022.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <gossip/core/described.hpp>
#include <gossip/topology/detail/shared_offsets.hpp>
#include <gossip/topology/topology.hpp>

namespace gossip {

/// Changes: a round draws an offset a. Directed, node i hears from i + a (modulo nodes); else i and
/// i + a are a pair where both are free, from a random node on. For the weights `equi_weights`.
/// Deviations from the paper: rounds repeat after one period; they are drawn again until their
/// union is connected; a smaller set of offsets to choose from has distinct ones.
struct equi_dynamic {
  std::size_t nodes = 16;
  std::size_t rounds = 16;
  std::size_t offsets = 0;  ///< to choose from, drawn as those of equi_static; 0: all
  bool directed = false;

  graph build(std::uint64_t seed) const;

  static constexpr char const *name = "equi_dynamic";
  static constexpr char const *meaning =
      "one peer per round, at a random offset that is common to all nodes";
  static constexpr auto members() {
    return member_list{
        described("nodes", &equi_dynamic::nodes, "number of nodes",
                  {.least = 1, .most = node_limit}),
        described("rounds", &equi_dynamic::rounds,
                  "number of rounds that are drawn at random and then repeated", {.least = 1}),
        described("offsets", &equi_dynamic::offsets,
                  "number of offsets from which rounds choose; 0: all offsets",
                  {.most = node_limit}),
        described("directed", &equi_dynamic::directed,
                  "a node receives from the node at the offset; false: nodes exchange in pairs")};
  }

 private:
  graph draw(std::uint64_t seed, std::uint64_t attempt) const;

  graph shifted(std::size_t offset) const {
    std::vector<edge> arcs;
    arcs.reserve(nodes);
    detail::append_shift(arcs, nodes, offset, true);
    return graph::directed(nodes, arcs);
  }

  graph matched(std::size_t offset, std::size_t start) const {
    return graph::undirected(nodes, detail::offset_matching(nodes, offset, start));
  }
};

static_assert(topology<equi_dynamic>);

}  // namespace gossip

#ifndef GOSSIP_COMPILED
#include <gossip/topology/detail/equi_dynamic.ipp>
#endif
