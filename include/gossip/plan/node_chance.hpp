// Random decisions of an exchange, each keyed by a node and the number of its draw: what one node
// draws depends on nobody else's draws.
#pragma once

#include <cstdint>
#include <span>

#include <gossip/core/node.hpp>
#include <gossip/core/random.hpp>

namespace gossip::detail {

/// Uniform in [0, 1), a multiple of 2^-53; keyed by (seed, purpose::exchange, i, draw).
inline double draw_uniform(std::uint64_t seed, node i, std::uint64_t draw) {
  return keyed_random(seed, purpose::exchange, i, draw).uniform();
}

/// True with probability p, of 0 never and of 1 always; from the same stream.
bool draw_chance(std::uint64_t seed, node i, std::uint64_t draw, double p);

/// One of the neighbours of node i, uniformly; keyed by (seed, purpose::neighbor, i, draw).
node draw_neighbor(std::span<node const> neighbors, std::uint64_t seed, node i, std::uint64_t draw);

}  // namespace gossip::detail

#ifndef GOSSIP_COMPILED
#include <gossip/plan/detail/node_chance.ipp>
#endif
