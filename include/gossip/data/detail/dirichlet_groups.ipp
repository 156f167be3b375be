// Definitions of data/dirichlet_groups.hpp.
#pragma once

#include <gossip/data/dirichlet_groups.hpp>

#include <algorithm>
#include <numeric>
#include <string>
#include <vector>

#include <gossip/core/inline.hpp>
#include <gossip/core/number_text.hpp>
#include <gossip/data/detail/dirichlet_draw.hpp>

namespace gossip {

GOSSIP_INLINE partition dirichlet_groups::assign(std::span<std::uint16_t const> labels,
                                                 std::size_t classes, std::size_t nodes,
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

GOSSIP_INLINE partition dirichlet_groups::within(std::span<std::uint16_t const> labels,
                                                 std::size_t classes, std::size_t nodes,
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

}  // namespace gossip
