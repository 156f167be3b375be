// Random decisions of an exchange, each keyed by a node and the number of its draw: what one node
// draws depends on nobody else's draws.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include <gossip/core/error.hpp>
#include <gossip/core/node.hpp>
#include <gossip/core/number_text.hpp>
#include <gossip/core/random.hpp>

namespace gossip::detail {

/// Uniform in [0, 1), a multiple of 2^-53; keyed by (seed, purpose::exchange, i, draw).
inline double draw_uniform(std::uint64_t seed, node i, std::uint64_t draw) {
  return keyed_random(seed, purpose::exchange, i, draw).uniform();
}

/// True with probability p, of 0 never and of 1 always; from the same stream.
inline bool draw_chance(std::uint64_t seed, node i, std::uint64_t draw, double p) {
  if (!(p >= 0.0 && p <= 1.0))
    throw error("exchange: node " + std::to_string(i) +
                ": chance: expected a probability from 0 to 1, got " + detail::shortest(p));
  return draw_uniform(seed, i, draw) < p;
}

/// One of the neighbours of node i, uniformly; keyed by (seed, purpose::neighbor, i, draw).
inline node draw_neighbor(std::span<node const> neighbors, std::uint64_t seed, node i,
                          std::uint64_t draw) {
  if (neighbors.empty())
    throw input_error("exchange: node " + std::to_string(i) + " has no neighbor to talk to");
  keyed_random random(seed, purpose::neighbor, i, draw);
  return neighbors[random.below(static_cast<std::uint32_t>(neighbors.size()))];
}

}  // namespace gossip::detail
