// A random graph in which every node has the same degree: the pairing model (B. Bollobas 1980), its
// self-loops and parallel edges repaired by edge swaps instead of rejection, which at degree 8
// would reject nearly always. Not quite uniform, see docs/policies/topology.md.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include <gossip/core/described.hpp>
#include <gossip/core/random.hpp>
#include <gossip/topology/topology.hpp>

namespace gossip {

namespace detail {

inline void shuffle(std::vector<node> &values, keyed_random &random) {
  for (std::size_t i = values.size(); i > 1; --i)
    std::swap(values[i - 1], values[random.below(static_cast<std::uint32_t>(i))]);
}

}  // namespace detail

/// A random simple connected graph, every node of the same degree. nodes * degree must be even.
/// Above half of the possible degree the missing edges are drawn instead. O(nodes * degree^2).
struct random_regular {
  std::size_t nodes = 16;
  std::size_t degree = 4;

  graph_size size() const {
    return {nodes, static_cast<double>(nodes) * static_cast<double>(degree) / 2.0};
  }
  graph build(std::uint64_t seed) const;

  static constexpr char const *name = "random_regular";
  static constexpr char const *meaning = "random, connected, all nodes have equal degree";
  static constexpr auto members() {
    return member_list{described("nodes", &random_regular::nodes, "number of nodes",
                                 {.least = 1, .most = node_limit}),
                       described("degree", &random_regular::degree, "number of neighbors of a node",
                                 {.most = node_limit})};
  }

 private:
  void check() const;

  /// Connected and of degree 2 means one cycle: drawn directly, as few pairings would be one.
  graph random_cycle(std::uint64_t seed) const;

  std::optional<graph> draw(std::uint64_t seed, std::uint64_t attempt) const;

  std::optional<graph> pair_up(std::size_t each, keyed_random &random) const;
};

static_assert(topology<random_regular>);

}  // namespace gossip

#ifndef GOSSIP_COMPILED
#include <gossip/topology/detail/random_regular.ipp>
#endif
