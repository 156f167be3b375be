// Definitions of topology/shrinking_lattice.hpp.
#pragma once

#include <gossip/topology/shrinking_lattice.hpp>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include <gossip/core/by_round.hpp>
#include <gossip/core/error.hpp>
#include <gossip/core/inline.hpp>
#include <gossip/topology/detail/ring_lattice_edges.hpp>

namespace gossip {

GOSSIP_INLINE std::size_t shrinking_lattice::degree_of(round_number k) const {
  round_number const steps = (degree - std::min(least, degree)) / std::max(by, std::size_t{1});
  round_number const lost = std::min(k / every, steps + 1) * by;
  return std::max<std::size_t>(degree - std::min<std::size_t>(lost, degree), least);
}

GOSSIP_INLINE graph shrinking_lattice::build(std::uint64_t /*seed*/) const {
  detail::require_lattice("shrinking_lattice", "degree", nodes, degree);
  detail::require_lattice("shrinking_lattice", "least", nodes, least);
  detail::require_at_least("shrinking_lattice", "by", 2, by);
  detail::require_at_least("shrinking_lattice", "every", 1, every);
  if (least > degree || by % 2 == 1)
    throw input_error(
        "shrinking_lattice", "least at most degree, and an even by",
        std::to_string(least) + ", " + std::to_string(degree) + " and " + std::to_string(by));
  std::vector<graph> graphs;
  std::vector<round_number> first;
  for (round_number k = 0; first.empty() || degree_of(k) < degree_of(first.back()); k += every) {
    graphs.push_back(graph::undirected(nodes, detail::ring_lattice_edges(nodes, degree_of(k))));
    first.push_back(k);
  }
  if (graphs.size() == 1) return graphs.front();
  return graph::changing(by_round<graph>(std::move(graphs), std::move(first)));
}

}  // namespace gossip
