// Binary words, each with all that differ from it in one bit.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <gossip/core/described.hpp>
#include <gossip/topology/detail/require.hpp>
#include <gossip/topology/topology.hpp>

namespace gossip {

/// 2^dimension nodes of degree `dimension`; nodes i and j are joined where i XOR j is a power of
/// two. With Metropolis-Hastings weights the eigenvalues of W are 1 - 2 k / (dimension + 1).
struct hypercube {
  static constexpr std::size_t most = 26;
  std::size_t dimension = 4;

  graph_size size() const {
    if (dimension > most)
      throw input_error("hypercube", "a dimension of at most " + std::to_string(most),
                        std::to_string(dimension));
    std::size_t const nodes = std::size_t{1} << dimension;
    return {nodes, static_cast<double>(nodes) / 2 * static_cast<double>(dimension)};
  }
  graph build(std::uint64_t /*seed*/ = 0) const {
    auto const [nodes, count] = size();
    detail::require_edges_fit("hypercube", count);
    std::vector<edge> edges;
    edges.reserve(static_cast<std::size_t>(count));
    for (std::size_t i = 0; i < nodes; ++i)
      for (std::size_t bit = 1; bit < nodes; bit *= 2)
        if ((i & bit) == 0) edges.push_back({static_cast<node>(i), static_cast<node>(i + bit)});
    return graph::undirected(nodes, edges);
  }

  static constexpr char const *name = "hypercube";
  static constexpr char const *meaning =
      "2^dimension nodes, joined if their numbers differ in one bit";
  static constexpr auto members() {
    return member_list{described("dimension", &hypercube::dimension,
                                 "base-2 logarithm of the number of nodes", {.most = most})};
  }
};

static_assert(topology<hypercube>);

}  // namespace gossip
