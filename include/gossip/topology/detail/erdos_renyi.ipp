// Definitions of topology/erdos_renyi.hpp.
#pragma once

#include <gossip/topology/erdos_renyi.hpp>

#include <sstream>
#include <vector>

#include <gossip/core/error.hpp>
#include <gossip/core/inline.hpp>
#include <gossip/core/random.hpp>
#include <gossip/topology/detail/connected_draw.hpp>
#include <gossip/topology/detail/require.hpp>

namespace gossip {

GOSSIP_INLINE graph erdos_renyi::build(std::uint64_t seed) const {
  check();
  std::ostringstream sentence;
  double const n = static_cast<double>(nodes);
  sentence << "erdos_renyi: found no connected graph of " << nodes << " nodes with probability "
           << probability << "; " << 2.0 * elementary::log(n) / n
           << " (2 ln n / n) is usually enough, or set allow_disconnected";
  return detail::connected_draw(
      {.refusal = sentence.str(), .waived = allow_disconnected, .log_alone = log_isolated()},
      [&](std::uint64_t attempt) { return draw(seed, attempt); });
}

GOSSIP_INLINE void erdos_renyi::check() const {
  detail::require_at_least("erdos_renyi", "nodes", 1, nodes);
  if (!(probability >= 0.0 && probability <= 1.0)) {
    std::ostringstream sentence;
    sentence << "erdos_renyi: probability must be between 0 and 1, got " << probability;
    throw input_error(sentence.str());
  }
  detail::require_edges_fit("erdos_renyi", static_cast<double>(nodes));
  detail::require_edges_fit("erdos_renyi", size().edges);
}

GOSSIP_INLINE graph erdos_renyi::draw(std::uint64_t seed, std::uint64_t attempt) const {
  keyed_random random(seed, purpose::topology, 0, attempt);
  double const n = static_cast<double>(nodes);
  double const pairs = n * (n - 1.0) / 2.0;
  detail::geometric_skips const skips(probability);
  std::vector<edge> edges;
  edges.reserve(static_cast<std::size_t>(probability * pairs));
  std::size_t larger = 1;   // the pairs in order: (1,0), (2,0), (2,1), (3,0), ...
  std::size_t smaller = 0;  // the next pair to be considered
  while (larger < nodes && probability > 0.0) {
    double const skip = skips.next(random);
    if (!(skip < pairs)) break;
    smaller += static_cast<std::size_t>(skip);
    while (larger < nodes && smaller >= larger) smaller -= larger++;
    if (larger < nodes) edges.push_back({static_cast<node>(smaller++), static_cast<node>(larger)});
  }
  return graph::undirected(nodes, edges);
}

}  // namespace gossip
