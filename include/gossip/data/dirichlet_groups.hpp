// Dirichlet proportions among ten nodes at a time, all nodes of one size. T. Lin, S. P.
// Karimireddy, S. U. Stich, M. Jaggi, "Quasi-global momentum: accelerating decentralized deep
// learning on heterogeneous data", ICML 2021, and the studies that compare with it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include <gossip/core/described.hpp>
#include <gossip/data/split.hpp>

namespace gossip {

/// Random parts of the set go to groups of nodes; within a group classes are dealt out as by
/// `dirichlet`, again until every node has half of its fair share. The lists of all nodes, one
/// after another, are then cut in equal parts, so that neighbours in this order share some classes.
struct dirichlet_groups {
  double alpha = 0.1;
  std::size_t group = 10;

  static constexpr std::size_t tries = 1000;

  partition assign(std::span<std::uint16_t const> labels, std::size_t classes, std::size_t nodes,
                   std::uint64_t seed) const;

  static constexpr char const *name = "dirichlet_groups";
  static constexpr char const *meaning =
      "Dirichlet proportions within groups of nodes, all nodes with an equal number of samples";
  static constexpr auto members() {
    return member_list{
        described("alpha", &dirichlet_groups::alpha,
                  "concentration of the Dirichlet distribution; small: few classes per node",
                  {.least = 1e-6, .most = 1e6}),
        described("group", &dirichlet_groups::group, "number of nodes of a group",
                  {.least = 1, .most = node_limit})};
  }

 private:
  partition within(std::span<std::uint16_t const> labels, std::size_t classes, std::size_t nodes,
                   std::uint64_t seed, std::size_t first) const;
};

static_assert(split_policy<dirichlet_groups>);

}  // namespace gossip

#ifndef GOSSIP_COMPILED
#include <gossip/data/detail/dirichlet_groups.ipp>
#endif
