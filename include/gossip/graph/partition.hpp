// Nodes divided into parts of equal size with few edges between them: which rank holds which nodes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <ostream>
#include <span>
#include <sstream>
#include <vector>

#include <gossip/graph/graph.hpp>

namespace gossip {

/// Statistics of a partition of a graph.
struct partition_report {
  std::size_t parts = 0;
  std::size_t smallest = 0, largest = 0;  ///< nodes of a part
  std::size_t cut = 0;                    ///< edges between parts
  std::size_t edges = 0;
  std::size_t halo = 0;       ///< nodes that a part's nodes listen to in other parts, all parts
  std::size_t most_halo = 0;  ///< the same of the part that has the most

  /// Nodes of the largest part over those of an even one: 1 is perfect.
  double balance() const {
    return nodes > 0 ? static_cast<double>(largest * parts) / static_cast<double>(nodes) : 1.0;
  }
  std::size_t nodes = 0;

  friend std::ostream &operator<<(std::ostream &out, partition_report const &r) {
    std::ostringstream text;
    text.precision(4);
    text << "parts         " << r.parts << " of " << r.smallest << " to " << r.largest
         << " nodes, balance " << r.balance() << '\n'
         << "cut           " << r.cut << " of " << r.edges << " edges; a part listens to "
         << r.most_halo << " nodes elsewhere at most";
    return out << text.str();
  }
};

/// owners (n): the part of each node, below `parts`.
partition_report describe(graph const &g, std::span<std::uint32_t const> owners, std::size_t parts);

/// The part of each node, (n): parts differ by one node at most. Multilevel recursive bisection,
/// see graph/detail/bisection.hpp; the same result everywhere. Parts beyond the nodes are empty.
std::vector<std::uint32_t> multilevel_partition(graph const &g, std::size_t parts);

}  // namespace gossip

#ifndef GOSSIP_COMPILED
#include <gossip/graph/detail/partition.ipp>
#endif
