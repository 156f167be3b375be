// The weights of EquiTopo's networks. Z. Song, W. Li, K. Jin, L. Shi, M. Yan, W. Yin, K. Yuan,
// "Communication-efficient topologies for decentralized learning with O(1) consensus rate",
// NeurIPS 2022.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include <gossip/core/by_round.hpp>
#include <gossip/core/described.hpp>
#include <gossip/core/error.hpp>
#include <gossip/core/number_text.hpp>
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
  by_round<mixing_matrix> weights(graph const &g) const {
    if (!(damping > 0 && damping <= 1))
      throw input_error("equi_weights: damping", "a number above 0, at most 1",
                        detail::shortest(damping));
    if (g.rounds() == nullptr) return of(g, 1.0);
    return g.rounds()->map([this](graph const &round) { return of(round, damping); });
  }

  static constexpr char const *name = "equi";
  static constexpr char const *meaning = "weights of the topologies equi_static and equi_dynamic";
  static constexpr auto members() {
    return member_list{described(
        "damping", &equi_weights::damping,
        "fraction of the mixing step that nodes apply in rounds of a network that changes",
        {.most = 1, .above_least = true})};
  }

 private:
  static mixing_matrix of(graph const &g, double damping) {
    graph const reversed = g.directed() ? g.reversed() : graph();
    graph const &heard = g.directed() ? reversed : g;
    std::size_t const n = g.nodes();
    double const moved = damping * static_cast<double>(n - 1) / static_cast<double>(n);
    if (n < 2 || (!g.directed() && is_matching(g)))
      return mixing_matrix::over(g, [moved](std::size_t, std::size_t) { return moved; });
    if (auto const unlike = without_offsets_of_0(heard))
      throw input_error(
          "equi_weights", "offsets that are common to all nodes, or pairs",
          "node " + std::to_string(*unlike) +
              (*unlike == 0 ? " without neighbors" : " without the offsets of node 0"));
    // Undirected: 2 M equal shares, one for each direction; both lead to the opposite node.
    bool const both_ways = !g.directed() && g.degree(0) % 2 == 1;
    double const share = moved / static_cast<double>(g.degree(0) + (both_ways ? 1 : 0));
    return mixing_matrix::over(heard, [=](std::size_t i, std::size_t j) {
      return both_ways && (i + n / 2) % n == j ? 2 * share : share;
    });
  }

  static bool is_matching(graph const &g) {
    for (std::size_t i = 0; i < g.nodes(); ++i)
      if (g.degree(i) > 1) return false;
    return true;
  }

  /// The first node without the offsets of node 0, which has some itself; none where all have them.
  static std::optional<std::size_t> without_offsets_of_0(graph const &g) {
    if (g.degree(0) == 0) return 0;
    for (std::size_t i = 0; i < g.nodes(); ++i) {
      if (g.degree(i) != g.degree(0)) return i;
      for (node const a : g.neighbors(0))
        if (!g.has_edge(i, (i + a) % g.nodes())) return i;
    }
    return std::nullopt;
  }
};

static_assert(weight_rule<equi_weights>);

}  // namespace gossip
