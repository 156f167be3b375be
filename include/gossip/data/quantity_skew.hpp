// Nodes with more and nodes with fewer samples, all of them random. Q. Li, Y. Diao, Q. Chen, B. He,
// "Federated learning on non-IID data silos: an experimental study", ICDE 2022, section 4.
#pragma once

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <string>
#include <vector>

#include <gossip/core/described.hpp>
#include <gossip/core/error.hpp>
#include <gossip/data/detail/dirichlet_draw.hpp>
#include <gossip/data/split.hpp>

namespace gossip {

/// Every node has `least` samples, and of the others a proportion p_i, p ~ Dirichlet(alpha). A
/// deviation: the paper draws again until all have enough.
struct quantity_skew {
  double alpha = 0.5;
  std::size_t least = 1;

  partition assign(std::span<std::uint16_t const> labels, std::size_t, std::size_t nodes,
                   std::uint64_t seed) const {
    detail::check_enough_samples("quantity_skew", labels.size(), nodes);
    detail::check_alpha("quantity_skew", alpha);
    if (least == 0 || least > labels.size() / nodes)
      throw input_error("quantity_skew: least",
                        "from 1 to " + std::to_string(labels.size() / nodes) + " samples",
                        std::to_string(least));
    std::vector<std::uint32_t> samples(labels.size()), offsets{0};
    std::iota(samples.begin(), samples.end(), 0U);
    keyed_random random(seed, purpose::partition, 0, 0);
    detail::shuffle(samples, random);
    std::vector<double> weights(nodes);
    detail::draw_logarithms(weights, alpha, random);
    detail::cut_in_proportion(
        weights, labels.size() - nodes * least, [&](std::size_t i, std::size_t, std::size_t end) {
          offsets.push_back(static_cast<std::uint32_t>(end + (i + 1) * least));
        });
    return {std::move(offsets), std::move(samples)};
  }

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
