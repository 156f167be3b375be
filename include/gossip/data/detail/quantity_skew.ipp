// Definitions of data/quantity_skew.hpp.
#pragma once

#include <gossip/data/quantity_skew.hpp>

#include <numeric>
#include <string>
#include <vector>

#include <gossip/core/error.hpp>
#include <gossip/core/inline.hpp>
#include <gossip/data/detail/dirichlet_draw.hpp>

namespace gossip {

GOSSIP_INLINE partition quantity_skew::assign(std::span<std::uint16_t const> labels, std::size_t,
                                              std::size_t nodes, std::uint64_t seed) const {
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
  detail::cut_in_proportion(weights, labels.size() - nodes * least,
                            [&](std::size_t i, std::size_t, std::size_t end) {
                              offsets.push_back(static_cast<std::uint32_t>(end + (i + 1) * least));
                            });
  return {std::move(offsets), std::move(samples)};
}

}  // namespace gossip
