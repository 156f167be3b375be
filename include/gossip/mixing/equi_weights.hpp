// The weights of EquiTopo's networks. Z. Song, W. Li, K. Jin, L. Shi, M. Yan, W. Yin, K. Yuan,
// "Communication-efficient topologies for decentralized learning with O(1) consensus rate",
// NeurIPS 2022.
#pragma once

#include <cstddef>
#include <optional>

#include <gossip/core/by_round.hpp>
#include <gossip/core/described.hpp>
#include <gossip/mixing/weights.hpp>

namespace gossip {

/// Doubly stochastic, of M offsets shared by all nodes: W = (1/M) sum_m [(n-1)/n P_{a_m} + I/n]
/// with P_a the permutation of offset a, or (W + W') / 2 on an undirected graph. In rounds of a
/// network that changes (1 - damping) I + damping W; P of a matching swaps its pairs, and nodes
/// without a peer keep their models. For `equi_static`, `equi_dynamic` and others of such a form,
/// as `ring`.
struct equi_weights {
  double damping = 0.5;

  /// Throws input_error for other graphs.
  by_round<mixing_matrix> weights(graph const &g) const;

  static constexpr char const *name = "equi";
  static constexpr char const *meaning = "weights of the topologies equi_static and equi_dynamic";
  static constexpr auto members() {
    return member_list{described(
        "damping", &equi_weights::damping,
        "fraction of the mixing step that nodes apply in rounds of a network that changes",
        {.most = 1, .above_least = true})};
  }

 private:
  static mixing_matrix of(graph const &g, double damping);

  static bool is_matching(graph const &g) {
    for (std::size_t i = 0; i < g.nodes(); ++i)
      if (g.degree(i) > 1) return false;
    return true;
  }

  /// The first node without the offsets of node 0, which has some itself; none where all have them.
  static std::optional<std::size_t> without_offsets_of_0(graph const &g);
};

static_assert(weight_rule<equi_weights>);

}  // namespace gossip

#ifndef GOSSIP_COMPILED
#include <gossip/mixing/detail/equi_weights.ipp>
#endif
