// Nodes with more and nodes with fewer samples, all of them random. Q. Li, Y. Diao, Q. Chen, B. He,
// "Federated learning on non-IID data silos: an experimental study", ICDE 2022, section 4.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include <gossip/core/described.hpp>
#include <gossip/data/split.hpp>

namespace gossip {

/// Every node has `least` samples, and of the others a proportion p_i, p ~ Dirichlet(alpha). A
/// deviation: the paper draws again until all have enough.
struct quantity_skew {
  double alpha = 0.5;
  std::size_t least = 1;

  partition assign(std::span<std::uint16_t const> labels, std::size_t, std::size_t nodes,
                   std::uint64_t seed) const;

  static constexpr char const *name = "quantity_skew";
  static constexpr char const *meaning =
      "random samples, whose numbers per node are in Dirichlet proportions";
  static constexpr auto members() {
    return member_list{
        described("alpha", &quantity_skew::alpha,
                  "concentration of the Dirichlet distribution; small: few nodes have most samples",
                  {.least = 1e-6, .most = 1e6}),
        described("least", &quantity_skew::least, "minimum number of samples of a node",
                  {.least = 1})};
  }
};

static_assert(split_policy<quantity_skew>);

}  // namespace gossip

#ifndef GOSSIP_COMPILED
#include <gossip/data/detail/quantity_skew.ipp>
#endif
