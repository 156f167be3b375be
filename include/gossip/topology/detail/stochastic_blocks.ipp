// Definitions of topology/stochastic_blocks.hpp.
#pragma once

#include <gossip/topology/stochastic_blocks.hpp>

#include <cmath>
#include <vector>

#include <gossip/core/error.hpp>
#include <gossip/core/inline.hpp>
#include <gossip/core/number_text.hpp>
#include <gossip/core/random.hpp>
#include <gossip/topology/detail/connected_draw.hpp>
#include <gossip/topology/detail/geometric_skips.hpp>
#include <gossip/topology/detail/require.hpp>

namespace gossip {

GOSSIP_INLINE graph_size stochastic_blocks::size() const {
  double const b = static_cast<double>(blocks), s = static_cast<double>(block_size);
  return {blocks * block_size,
          within * b * s * (s - 1.0) / 2.0 + between * s * s * b * (b - 1.0) / 2.0};
}

GOSSIP_INLINE graph stochastic_blocks::build(std::uint64_t seed) const {
  detail::require_at_least("stochastic_blocks", "blocks", 1, blocks);
  detail::require_at_least("stochastic_blocks", "size", 1, block_size);
  for (double const p : {within, between})
    if (!(p >= 0 && p <= 1))
      throw input_error("stochastic_blocks: within and between", "probabilities from 0 to 1",
                        detail::shortest(p));
  detail::require_edges_fit("stochastic_blocks",
                            static_cast<double>(blocks) * static_cast<double>(block_size));
  detail::require_edges_fit("stochastic_blocks", size().edges);
  return detail::connected_draw(
      {.refusal = "stochastic_blocks: found no connected graph in 100 draws; use larger "
                  "probabilities, or set allow_disconnected",
       .waived = allow_disconnected},
      [&](std::uint64_t attempt) { return draw(seed, attempt); });
}

GOSSIP_INLINE stochastic_blocks::pair stochastic_blocks::pair_at(std::uint64_t k) {
  auto larger =
      static_cast<std::uint64_t>((1.0 + std::sqrt(1.0 + 8.0 * static_cast<double>(k))) / 2.0);
  while (larger * (larger - 1) / 2 > k) --larger;
  while ((larger + 1) * larger / 2 <= k) ++larger;
  return {larger, k - larger * (larger - 1) / 2};
}

GOSSIP_INLINE graph stochastic_blocks::draw(std::uint64_t seed, std::uint64_t attempt) const {
  keyed_random random(seed, purpose::topology, 0, attempt);
  std::uint64_t const s = block_size, inside = s * (s - 1) / 2, across = s * s;
  std::vector<edge> edges;
  auto const join = [&](std::uint64_t a, std::uint64_t b) {
    edges.push_back({static_cast<node>(a), static_cast<node>(b)});
  };
  if (within > 0)
    detail::geometric_skips(within).each(random, blocks * inside, [&](std::uint64_t k) {
      pair const of_block = pair_at(k % inside);
      join(k / inside * s + of_block.smaller, k / inside * s + of_block.larger);
    });
  if (between > 0)
    detail::geometric_skips(between).each(
        random, std::uint64_t{blocks} * (blocks - 1) / 2 * across, [&](std::uint64_t k) {
          pair const of_blocks = pair_at(k / across);
          join(of_blocks.smaller * s + k % across / s, of_blocks.larger * s + k % s);
        });
  return graph::undirected(blocks * block_size, edges);
}

}  // namespace gossip
