// Every node with class proportions of its own, all nodes of one size. T.-M. Hsu, H. Qi, M. Brown,
// "Measuring the effects of non-identical data distribution for federated visual classification",
// 2019.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

#include <gossip/core/described.hpp>
#include <gossip/data/detail/dirichlet_draw.hpp>
#include <gossip/data/split.hpp>

namespace gossip {

/// Node i has the proportions q_i ~ Dirichlet(alpha) over the classes. Samples are handed out one
/// by one, each to a random node that has not its share yet, of a class drawn from q_i among those
/// that are left; or with replacement, where lists may share samples and repeat them. O(samples *
/// classes).
struct node_dirichlet {
  double alpha = 0.5;
  bool replacement = false;

  partition assign(std::span<std::uint16_t const> labels, std::size_t classes, std::size_t nodes,
                   std::uint64_t seed) const;

  static constexpr char const *name = "node_dirichlet";
  static constexpr char const *meaning =
      "each node has Dirichlet proportions of classes, all nodes an equal number of samples";
  static constexpr auto members() {
    return member_list{
        described("alpha", &node_dirichlet::alpha,
                  "concentration of the Dirichlet distribution; small: few classes per node",
                  {.least = 1e-6, .most = 1e6}),
        described("replacement", &node_dirichlet::replacement,
                  "draw samples with replacement; two nodes may then share samples")};
  }

 private:
  static std::size_t share(std::size_t samples, std::size_t nodes, std::size_t i) {
    return samples * (i + 1) / nodes - samples * i / nodes;
  }

  /// A class by these logarithms, which are overwritten.
  static std::size_t drawn(std::span<double> weights, keyed_random &random) {
    double const total = detail::cumulate(weights);
    auto const place = std::ranges::upper_bound(weights, random.uniform() * total);
    return static_cast<std::size_t>(place - weights.begin());
  }
};

static_assert(split_policy<node_dirichlet>);

}  // namespace gossip

#ifndef GOSSIP_COMPILED
#include <gossip/data/detail/node_dirichlet.ipp>
#endif
