// Definitions of topology/detail/shared_offsets.hpp.
#pragma once

#include <gossip/topology/detail/shared_offsets.hpp>

#include <algorithm>
#include <string>

#include <gossip/core/error.hpp>
#include <gossip/core/inline.hpp>
#include <gossip/topology/detail/require.hpp>

namespace gossip::detail {

GOSSIP_INLINE void require_offsets(char const *where, std::size_t nodes, std::size_t offsets,
                                   bool directed) {
  std::size_t const most = directed ? nodes - 1 : nodes / 2;
  if (nodes > 1 && offsets > most)
    throw input_error(
        std::string(where) + ": offsets",
        "at most " + std::to_string(most) + (directed ? " (nodes - 1)" : " (nodes / 2)"),
        std::to_string(offsets));
}

GOSSIP_INLINE std::vector<std::size_t> draw_offsets(std::size_t nodes, std::size_t count,
                                                    bool directed, keyed_random &random) {
  std::vector<bool> drawn(nodes, false);
  std::vector<std::size_t> offsets;
  while (offsets.size() < count) {
    std::size_t const a = 1 + random.below(static_cast<std::uint32_t>(nodes - 1));
    std::size_t const one_of_two = directed ? a : std::min(a, nodes - a);
    if (drawn[one_of_two]) continue;
    drawn[one_of_two] = true;
    offsets.push_back(a);
  }
  return offsets;
}

GOSSIP_INLINE void append_shift(std::vector<edge> &edges, std::size_t nodes, std::size_t offset,
                                bool directed) {
  std::size_t const pairs = !directed && 2 * offset == nodes ? offset : nodes;
  for (std::size_t i = 0; i < pairs; ++i)
    edges.push_back({static_cast<node>((i + offset) % nodes), static_cast<node>(i)});
}

GOSSIP_INLINE std::vector<edge> offset_matching(std::size_t nodes, std::size_t offset,
                                                std::size_t start) {
  std::vector<bool> taken(nodes, false);
  std::vector<edge> pairs;
  pairs.reserve(nodes / 2);
  for (std::size_t k = 0; k < nodes; ++k) {
    std::size_t const i = (start + k) % nodes, j = (i + offset) % nodes;
    if (taken[i] || taken[j]) continue;
    taken[i] = taken[j] = true;
    pairs.push_back({static_cast<node>(i), static_cast<node>(j)});
  }
  return pairs;
}

}  // namespace gossip::detail
