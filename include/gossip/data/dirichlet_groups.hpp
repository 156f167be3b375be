// Dirichlet proportions among ten nodes at a time, all nodes of one size. T. Lin, S. P.
// Karimireddy, S. U. Stich, M. Jaggi, "Quasi-global momentum: accelerating decentralized deep
// learning on heterogeneous data", ICML 2021, and the studies that compare with it.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <string>
#include <vector>

#include <gossip/core/described.hpp>
#include <gossip/core/number_text.hpp>
#include <gossip/data/detail/dirichlet_draw.hpp>
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
                   std::uint64_t seed) const {
    detail::check_enough_samples("dirichlet_groups", labels.size(), nodes);
    detail::check_alpha("dirichlet_groups", alpha);
    if (group == 0) throw input_error("dirichlet_groups: group", "at least one node", "0");
    std::vector<std::uint32_t> order(labels.size());
    std::iota(order.begin(), order.end(), 0U);
    keyed_random random(seed, purpose::partition, node_limit, 0);
    detail::shuffle(order, random);
    std::vector<std::uint32_t> lists;
    for (std::size_t first = 0; first < nodes; first += group) {
      std::size_t const last = std::min(first + group, nodes);
      std::size_t const begin = order.size() * first / nodes, end = order.size() * last / nodes;
      std::span<std::uint32_t const> const part(order.data() + begin, end - begin);
      std::vector<std::uint16_t> of_part;
      for (std::uint32_t const sample : part) of_part.push_back(labels[sample]);
      partition const shares = within(of_part, classes, last - first, seed, first);
      for (std::uint32_t const k : shares.samples()) lists.push_back(part[k]);
    }
    return cut_evenly(std::move(lists), nodes);
  }

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
                   std::uint64_t seed, std::size_t first) const {
    partition const by_class = group_by(labels, classes);
    for (std::size_t attempt = 0; attempt < tries; ++attempt) {
      partition shares = group_by<node>(
          detail::deal_by_class(by_class, nodes, alpha, seed, 1 + first * tries + attempt), nodes);
      if (2 * nodes * detail::smallest_share(shares) >= labels.size()) return shares;
    }
    throw input_error("dirichlet_groups: alpha",
                      "a value for which " + std::to_string(tries) +
                          " draws give every node half of its fair share",
                      detail::shortest(alpha));
  }
};

static_assert(split_policy<dirichlet_groups>);

}  // namespace gossip
