// Binary words, each with all that differ from it in one bit.
#pragma once

#include <cstddef>
#include <cstdint>

#include <gossip/core/described.hpp>
#include <gossip/topology/topology.hpp>

namespace gossip {

/// 2^dimension nodes of degree `dimension`; nodes i and j are joined where i XOR j is a power of
/// two. With Metropolis-Hastings weights the eigenvalues of W are 1 - 2 k / (dimension + 1).
struct hypercube {
  static constexpr std::size_t most = 26;
  std::size_t dimension = 4;

  graph_size size() const;
  graph build(std::uint64_t /*seed*/ = 0) const;

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

#ifndef GOSSIP_COMPILED
#include <gossip/topology/detail/hypercube.ipp>
#endif
