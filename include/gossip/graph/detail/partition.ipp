// Definitions of graph/partition.hpp.
#pragma once

#include <gossip/graph/partition.hpp>

#include <algorithm>

#include <gossip/core/error.hpp>
#include <gossip/core/inline.hpp>
#include <gossip/graph/detail/bisection.hpp>

namespace gossip {

GOSSIP_INLINE partition_report describe(graph const &g, std::span<std::uint32_t const> owners,
                                        std::size_t parts) {
  partition_report report;
  report.nodes = g.nodes();
  report.parts = parts;
  report.edges = g.edges();
  std::vector<std::size_t> sizes(parts, 0), halo(parts, 0);
  std::vector<std::uint32_t> seen;
  for (std::size_t i = 0; i < g.nodes(); ++i) {
    ++sizes[owners[i]];
    seen.clear();
    for (node const j : g.neighbors(i)) {
      if (owners[i] == owners[j]) continue;
      if (g.directed() || i < j) ++report.cut;
      seen.push_back(owners[j]);  // i's model goes there
    }
    std::sort(seen.begin(), seen.end());
    seen.erase(std::unique(seen.begin(), seen.end()), seen.end());
    for (std::uint32_t const part : seen) ++halo[part];
  }
  report.smallest = *std::min_element(sizes.begin(), sizes.end());
  report.largest = *std::max_element(sizes.begin(), sizes.end());
  report.most_halo = *std::max_element(halo.begin(), halo.end());
  for (std::size_t const h : halo) report.halo += h;
  return report;
}

namespace detail {

/// Parts first to first + count of the nodes `members` of g, halves by halves.
GOSSIP_INLINE void divide(weighted_graph const &g, std::span<node const> members, std::size_t first,
                          std::size_t count, std::vector<std::uint32_t> &owners) {
  if (count == 1) {
    for (node const i : members) owners[i] = static_cast<std::uint32_t>(first);
    return;
  }
  std::size_t const low = count / 2, n = members.size();
  std::size_t const target = n / count * low + std::min(n % count, low);
  sides const side = bisect(g, target, 0);
  std::vector<node> scratch;
  for (std::size_t half = 0; half < 2; ++half) {
    std::vector<node> kept, inside;
    for (std::size_t k = 0; k < n; ++k)
      if (side[k] == half) {
        kept.push_back(static_cast<node>(k));
        inside.push_back(members[k]);
      }
    divide(g.induced(kept, scratch), inside, half == 0 ? first : first + low,
           half == 0 ? low : count - low, owners);
  }
}

}  // namespace detail

GOSSIP_INLINE std::vector<std::uint32_t> multilevel_partition(graph const &g, std::size_t parts) {
  if (parts == 0) throw input_error("partition: parts must be at least 1, got 0");
  checked_index(parts, "partition: parts");
  std::vector<std::uint32_t> owners(g.nodes(), 0);
  std::vector<node> all(g.nodes());
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = static_cast<node>(i);
  detail::divide(detail::weighted_graph::of_network(g), all, 0, parts, owners);
  return owners;
}

}  // namespace gossip
