// EquiTopo's networks of one peer a round, OD-EquiDyn and OU-EquiDyn. Z. Song, W. Li, K. Jin,
// L. Shi, M. Yan, W. Yin, K. Yuan, "Communication-efficient topologies for decentralized learning
// with O(1) consensus rate", NeurIPS 2022.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <gossip/core/described.hpp>
#include <gossip/core/random.hpp>
#include <gossip/topology/detail/connected_draw.hpp>
#include <gossip/topology/detail/require.hpp>
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

  graph build(std::uint64_t seed) const {
    detail::require_at_least("equi_dynamic", "nodes", 1, nodes);
    detail::require_at_least("equi_dynamic", "rounds", 1, rounds);
    detail::require_offsets("equi_dynamic", nodes, offsets, directed);
    detail::require_edges_fit("equi_dynamic",
                              static_cast<double>(nodes) * static_cast<double>(rounds));
    return detail::connected_draw(
        {.refusal = "equi_dynamic: found no rounds whose union is connected, " +
                    std::to_string(rounds) + " of " + std::to_string(nodes) +
                    " nodes; 6 rounds that choose from all offsets are usually enough",
         .directed = directed},
        [&](std::uint64_t attempt) { return draw(seed, attempt); });
  }

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
  graph draw(std::uint64_t seed, std::uint64_t attempt) const {
    if (nodes == 1) return directed ? graph::directed(1, {}) : graph::undirected(1, {});
    keyed_random random(seed, purpose::topology, 0, attempt);
    auto const chosen = detail::draw_offsets(nodes, offsets, directed, random);
    auto const below = [&random](std::size_t n) {
      return std::size_t{random.below(static_cast<std::uint32_t>(n))};
    };
    std::vector<graph> graphs;
    graphs.reserve(rounds);
    for (std::size_t k = 0; k < rounds; ++k) {
      std::size_t const a = chosen.empty() ? 1 + below(nodes - 1) : chosen[below(chosen.size())];
      graphs.push_back(directed ? shifted(a) : matched(a, below(nodes)));
    }
    return graph::changing(std::move(graphs));
  }

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
