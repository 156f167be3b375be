// METIS as what divides a graph over ranks, for those who have it: mpi_ranks{metis_partition}.
// G. Karypis, V. Kumar, "Multilevel k-way partitioning scheme for irregular graphs", JPDC 1998.
#pragma once

#include <metis.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include <gossip/core/error.hpp>
#include <gossip/graph/detail/weighted_graph.hpp>
#include <gossip/graph/graph.hpp>

namespace gossip {

/// The part of each node, (n), below `parts`. Parts may differ by more than a node, unlike those of
/// multilevel_partition. Throws gossip::error where METIS gives up or its indices are too short.
inline std::vector<std::uint32_t> metis_partition(graph const &g, std::size_t parts) {
  if (parts == 0) throw input_error("partition: parts must be at least 1, got 0");
  std::vector<std::uint32_t> owners(g.nodes(), 0);
  if (parts == 1 || g.nodes() == 0) return owners;
  if (parts >= g.nodes()) {  // a node each; METIS wants parts with something in them
    for (std::size_t i = 0; i < g.nodes(); ++i) owners[i] = static_cast<std::uint32_t>(i);
    return owners;
  }
  auto const weighted = detail::weighted_graph::of_network(g);
  if (weighted.links.size() > static_cast<std::size_t>(std::numeric_limits<idx_t>::max()))
    throw error("metis: expected at most " + std::to_string(std::numeric_limits<idx_t>::max()) +
                " ends of edges, got " + std::to_string(weighted.links.size()));
  std::vector<idx_t> offsets(weighted.offsets.begin(), weighted.offsets.end());
  std::vector<idx_t> targets;
  targets.reserve(weighted.links.size());
  for (auto const link : weighted.links) targets.push_back(static_cast<idx_t>(link.to));
  idx_t nodes = static_cast<idx_t>(g.nodes()), constraints = 1, cut = 0;
  idx_t count = static_cast<idx_t>(parts);
  idx_t options[METIS_NOPTIONS];
  METIS_SetDefaultOptions(options);
  options[METIS_OPTION_SEED] = 1;
  options[METIS_OPTION_UFACTOR] = 1;  // at most a thousandth above an even share
  std::vector<idx_t> part(g.nodes());
  int const status =
      METIS_PartGraphKway(&nodes, &constraints, offsets.data(), targets.data(), nullptr, nullptr,
                          nullptr, &count, nullptr, nullptr, options, &cut, part.data());
  if (status != METIS_OK) throw error("metis: gave up with status " + std::to_string(status));
  std::transform(part.begin(), part.end(), owners.begin(),
                 [](idx_t p) { return static_cast<std::uint32_t>(p); });
  return owners;
}

}  // namespace gossip
