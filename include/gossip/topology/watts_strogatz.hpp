// A small world: a ring lattice of which some edges lead anywhere. D. Watts, S. Strogatz,
// "Collective dynamics of 'small-world' networks", Nature 393 (1998).
#pragma once

#include <cstddef>
#include <cstdint>

#include <gossip/core/described.hpp>
#include <gossip/topology/topology.hpp>

namespace gossip {

/// Each edge i - j of a ring lattice, j ahead of i, the nearest first, becomes with the given
/// probability i - m, where m is drawn among the nodes that i is not joined to. Drawn again until
/// connected. Expected O(nodes * degree) a draw, of sparse graphs.
struct watts_strogatz {
  std::size_t nodes = 16;
  std::size_t degree = 4;
  double rewired = 0.1;

  graph_size size() const {
    return {nodes, static_cast<double>(nodes) * static_cast<double>(degree) / 2.0};
  }
  graph build(std::uint64_t seed) const;

  static constexpr char const *name = "watts_strogatz";
  static constexpr char const *meaning =
      "random, connected: a ring lattice with some edges rewired";
  static constexpr auto members() {
    return member_list{described("nodes", &watts_strogatz::nodes, "number of nodes",
                                 {.least = 1, .most = node_limit}),
                       described("degree", &watts_strogatz::degree, "degree of the lattice, even",
                                 {.most = node_limit}),
                       described("rewired", &watts_strogatz::rewired,
                                 "probability that an edge is rewired", {.least = 0, .most = 1})};
  }

 private:
  graph draw(std::uint64_t seed, std::uint64_t attempt) const;
};

static_assert(topology<watts_strogatz>);

}  // namespace gossip

#ifndef GOSSIP_COMPILED
#include <gossip/topology/detail/watts_strogatz.ipp>
#endif
