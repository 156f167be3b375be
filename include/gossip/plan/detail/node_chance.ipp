// Definitions of plan/node_chance.hpp.
#pragma once

#include <gossip/plan/node_chance.hpp>

#include <string>

#include <gossip/core/error.hpp>
#include <gossip/core/inline.hpp>
#include <gossip/core/number_text.hpp>

namespace gossip::detail {

GOSSIP_INLINE bool draw_chance(std::uint64_t seed, node i, std::uint64_t draw, double p) {
  if (!(p >= 0.0 && p <= 1.0))
    throw error("exchange: node " + std::to_string(i) +
                ": chance: expected a probability from 0 to 1, got " + detail::shortest(p));
  return draw_uniform(seed, i, draw) < p;
}

GOSSIP_INLINE node draw_neighbor(std::span<node const> neighbors, std::uint64_t seed, node i,
                                 std::uint64_t draw) {
  if (neighbors.empty())
    throw input_error("exchange: node " + std::to_string(i) + " has no neighbor to talk to");
  keyed_random random(seed, purpose::neighbor, i, draw);
  return neighbors[random.below(static_cast<std::uint32_t>(neighbors.size()))];
}

}  // namespace gossip::detail
