// Classes shared out unevenly by Dirichlet proportions: the usual model of heterogeneous data.
// M. Yurochkin et al., "Bayesian nonparametric federated learning of neural networks", ICML 2019;
// with the balancing rule of FedLab's hetero-dir: a node with its fair share gets no more.
#pragma once

#include <gossip/core/described.hpp>
#include <gossip/data/split.hpp>

namespace gossip {

/// Class by class, node j gets a proportion p_j of it, p ~ Dirichlet(alpha) over the nodes that do
/// not yet have samples / nodes. Small alpha: few classes a node; large alpha: all alike. Memory
/// O(samples + nodes), time O(classes * nodes + samples).
struct dirichlet {
  double alpha = 0.5;

  /// The fewest samples a node may have. Given: the draw is repeated, 100 times at most, until all
  /// nodes have them, as in FedLab. 0: one draw, then nodes with fewer than min(classes, half their
  /// fair share, but at least 1) are filled up from the largest. A deviation: with many nodes or a
  /// small alpha no number of draws would leave no node empty.
  std::size_t minimum = 0;

  static constexpr std::size_t tries = 100;

  partition assign(std::span<std::uint16_t const> labels, std::size_t classes, std::size_t nodes,
                   std::uint64_t seed) const;

  static constexpr char const *name = "dirichlet";
  static constexpr char const *meaning =
      "each class is divided among the nodes in Dirichlet proportions";
  static constexpr auto members() {
    return member_list{
        described("alpha", &dirichlet::alpha,
                  "concentration of the Dirichlet distribution; small: few classes per node",
                  {.least = 1e-6, .most = 1e6}),
        described("minimum", &dirichlet::minimum,
                  "minimum number of samples of a node; 0: the smallest nodes are filled up")};
  }

 private:
  void check(std::size_t samples, std::size_t nodes) const;

  /// Gives every node least samples; what one lacks comes from the largest other node, from the
  /// classes it has most of, so that few classes stay few. Possible for least <= samples / (2
  /// nodes) and for least = 1: then the largest has at least twice as many, or two.
  static void fill_up(std::span<node> owner, std::span<std::uint16_t const> labels,
                      std::size_t classes, std::size_t nodes, std::size_t least);

  /// Samples ordered so that those of the most numerous class come last.
  static std::vector<std::uint32_t> rarest_first(std::span<std::uint32_t const> samples,
                                                 std::span<std::uint16_t const> labels,
                                                 std::size_t classes);
};

static_assert(split_policy<dirichlet>);

}  // namespace gossip

#ifndef GOSSIP_COMPILED
#include <gossip/data/detail/dirichlet.ipp>
#endif
