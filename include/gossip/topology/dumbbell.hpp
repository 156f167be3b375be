// Two cliques that a path joins.
#pragma once

#include <cstddef>
#include <cstdint>

#include <gossip/core/described.hpp>
#include <gossip/topology/topology.hpp>

namespace gossip {

/// Nodes 0 to clique - 1 are all joined, so are the last `clique`, and a path of `between` nodes,
/// or one edge, leads from one to the other. Also known as barbell.
struct dumbbell {
  std::size_t clique = 8;
  std::size_t between = 0;

  graph_size size() const {
    double const c = static_cast<double>(clique);
    return {2 * clique + between, c * (c - 1.0) + static_cast<double>(between) + 1.0};
  }
  graph build(std::uint64_t /*seed*/ = 0) const;

  static constexpr char const *name = "dumbbell";
  static constexpr char const *meaning = "two cliques, joined by a path";
  static constexpr auto members() {
    return member_list{
        described("clique", &dumbbell::clique, "number of nodes of each clique",
                  {.least = 1, .most = node_limit}),
        described("between", &dumbbell::between, "number of nodes of the path between the cliques",
                  {.most = node_limit})};
  }
};

static_assert(topology<dumbbell>);

}  // namespace gossip

#ifndef GOSSIP_COMPILED
#include <gossip/topology/detail/dumbbell.ipp>
#endif
