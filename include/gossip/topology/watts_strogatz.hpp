// A small world: a ring lattice of which some edges lead anywhere. D. Watts, S. Strogatz,
// "Collective dynamics of 'small-world' networks", Nature 393 (1998).
#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_set>
#include <vector>

#include <gossip/core/described.hpp>
#include <gossip/core/error.hpp>
#include <gossip/core/number_text.hpp>
#include <gossip/core/random.hpp>
#include <gossip/topology/detail/connected_draw.hpp>
#include <gossip/topology/detail/ring_lattice_edges.hpp>
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
  graph build(std::uint64_t seed) const {
    detail::require_lattice("watts_strogatz", "degree", nodes, degree);
    if (!(rewired >= 0 && rewired <= 1))
      throw input_error("watts_strogatz: rewired", "a probability from 0 to 1",
                        detail::shortest(rewired));
    return detail::connected_draw(
        {.refusal = "watts_strogatz: found no connected graph in 100 draws; a larger degree helps"},
        [&](std::uint64_t attempt) { return draw(seed, attempt); });
  }

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
  graph draw(std::uint64_t seed, std::uint64_t attempt) const {
    keyed_random random(seed, purpose::topology, 0, attempt);
    std::vector<edge> edges = detail::ring_lattice_edges(nodes, degree);
    std::unordered_set<std::uint64_t> joined;
    joined.reserve(2 * edges.size());
    auto const key = [](node a, node b) {
      return (std::uint64_t{a < b ? a : b} << 32) | (a < b ? b : a);
    };
    std::vector<std::size_t> degrees(nodes, degree);
    for (edge const e : edges) joined.insert(key(e.from, e.to));
    for (edge &e : edges) {
      if (random.uniform() >= rewired || degrees[e.from] + 1 >= nodes) continue;
      node other = e.from;
      while (other == e.from || joined.contains(key(e.from, other)))
        other = random.below(static_cast<std::uint32_t>(nodes));
      joined.erase(key(e.from, e.to));
      joined.insert(key(e.from, other));
      --degrees[e.to];
      ++degrees[other];
      e.to = other;
    }
    return graph::undirected(nodes, edges);
  }
};

static_assert(topology<watts_strogatz>);

}  // namespace gossip
