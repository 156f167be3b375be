// Communities: nodes of one block are joined with one probability, nodes of two with another.
// P. Holland, K. Laskey, S. Leinhardt, "Stochastic blockmodels: first steps", Social Networks 5
// (1983).
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <gossip/core/described.hpp>
#include <gossip/core/error.hpp>
#include <gossip/core/number_text.hpp>
#include <gossip/core/random.hpp>
#include <gossip/topology/detail/connected_draw.hpp>
#include <gossip/topology/detail/geometric_skips.hpp>
#include <gossip/topology/detail/require.hpp>
#include <gossip/topology/topology.hpp>

namespace gossip {

/// Blocks of equal size, also known as planted partition; node i is of block i / size. Drawn again
/// until connected unless allow_disconnected. O(nodes + edges) a draw.
struct stochastic_blocks {
  std::size_t blocks = 4;
  std::size_t block_size = 16;
  double within = 0.5;
  double between = 0.02;
  bool allow_disconnected = false;

  graph_size size() const {
    double const b = static_cast<double>(blocks), s = static_cast<double>(block_size);
    return {blocks * block_size,
            within * b * s * (s - 1.0) / 2.0 + between * s * s * b * (b - 1.0) / 2.0};
  }
  graph build(std::uint64_t seed) const {
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

  static constexpr char const *name = "stochastic_blocks";
  static constexpr char const *meaning =
      "random communities with many edges within and few between them";
  static constexpr auto members() {
    return member_list{
        described("blocks", &stochastic_blocks::blocks, "number of communities",
                  {.least = 1, .most = node_limit}),
        described("size", &stochastic_blocks::block_size, "number of nodes of each community",
                  {.least = 1, .most = node_limit}),
        described("within", &stochastic_blocks::within,
                  "probability of an edge between two nodes of one community",
                  {.least = 0, .most = 1}),
        described("between", &stochastic_blocks::between,
                  "probability of an edge between nodes of two communities",
                  {.least = 0, .most = 1}),
        described("allow_disconnected", &stochastic_blocks::allow_disconnected,
                  "accept a graph that is not connected")};
  }

 private:
  struct pair {
    std::uint64_t larger, smaller;
  };

  /// Number k of the pairs (1,0), (2,0), (2,1), (3,0), ...
  static pair pair_at(std::uint64_t k) {
    auto larger =
        static_cast<std::uint64_t>((1.0 + std::sqrt(1.0 + 8.0 * static_cast<double>(k))) / 2.0);
    while (larger * (larger - 1) / 2 > k) --larger;
    while ((larger + 1) * larger / 2 <= k) ++larger;
    return {larger, k - larger * (larger - 1) / 2};
  }

  graph draw(std::uint64_t seed, std::uint64_t attempt) const {
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
};

static_assert(topology<stochastic_blocks>);

}  // namespace gossip
