// A weighted graph in two parts of given weight with few edges between them: coarsened by
// heavy-edge matching, divided by growing a part, refined on the way back by moving nodes.
// G. Karypis, V. Kumar, "A fast and high quality multilevel scheme for partitioning irregular
// graphs", SIAM J. Sci. Comput. 1998; C. Fiduccia, R. Mattheyses, "A linear-time heuristic for
// improving network partitions", DAC 1982.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <gossip/graph/detail/weighted_graph.hpp>

namespace gossip::detail {

using sides = std::vector<std::uint8_t>;  // (n) 0 or 1

/// Pairs of nodes joined by heavy edges become one; number[i] is what node i becomes part of.
/// Returns how many there are then.
std::size_t match(weighted_graph const &g, std::uint64_t largest, std::vector<node> &number);

/// The parts of a graph: part 0 has weight `target`, within `slack`.
sides bisect(weighted_graph const &g, std::uint64_t target, std::uint64_t slack);

}  // namespace gossip::detail

#ifndef GOSSIP_COMPILED
#include <gossip/graph/detail/bisection.ipp>
#endif
