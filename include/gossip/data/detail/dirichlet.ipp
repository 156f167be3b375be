// Definitions of data/dirichlet.hpp.
#pragma once

#include <gossip/data/dirichlet.hpp>

#include <algorithm>
#include <queue>
#include <tuple>
#include <utility>

#include <gossip/core/inline.hpp>
#include <gossip/data/detail/dirichlet_draw.hpp>

namespace gossip {

GOSSIP_INLINE partition dirichlet::assign(std::span<std::uint16_t const> labels,
                                          std::size_t classes, std::size_t nodes,
                                          std::uint64_t seed) const {
  check(labels.size(), nodes);
  partition const by_class = group_by(labels, classes);
  if (minimum == 0) {
    std::vector<node> owner = detail::deal_by_class(by_class, nodes, alpha, seed, 0);
    fill_up(owner, labels, classes, nodes,
            std::max<std::size_t>(1, std::min(classes, labels.size() / (2 * nodes))));
    return group_by<node>(owner, nodes);
  }
  for (std::size_t attempt = 0; attempt < tries; ++attempt) {
    partition shares =
        group_by<node>(detail::deal_by_class(by_class, nodes, alpha, seed, attempt), nodes);
    if (detail::smallest_share(shares) >= minimum) return shares;
  }
  throw input_error(
      "dirichlet: minimum",
      "a number of samples that " + std::to_string(tries) +
          " draws can give every node (0: the smallest nodes are filled up), or a larger alpha",
      std::to_string(minimum));
}

GOSSIP_INLINE void dirichlet::check(std::size_t samples, std::size_t nodes) const {
  detail::check_enough_samples("dirichlet", samples, nodes);
  detail::check_alpha("dirichlet", alpha);
  if (minimum > samples / nodes)
    throw input_error("dirichlet: minimum",
                      "at most " + std::to_string(samples / nodes) + " (" +
                          std::to_string(samples) + " samples, " + std::to_string(nodes) +
                          " nodes)",
                      std::to_string(minimum));
}

GOSSIP_INLINE void dirichlet::fill_up(std::span<node> owner, std::span<std::uint16_t const> labels,
                                      std::size_t classes, std::size_t nodes, std::size_t least) {
  partition const shares = group_by<node>(owner, nodes);
  std::vector<std::vector<std::uint32_t>> left(nodes);  // of nodes that gave, the last goes first
  using entry = std::pair<std::size_t, node>;           // size, node
  std::vector<entry> sizes;
  for (node j = 0; j < nodes; ++j) sizes.emplace_back(shares.size(j), j);
  std::priority_queue<entry> largest(std::less<entry>(), sizes);
  for (node j = 0; j < nodes; ++j) {
    if (shares.size(j) >= least) continue;
    std::size_t const missing = least - shares.size(j);
    auto const [size, giver] = largest.top();
    largest.pop();
    if (left[giver].empty()) left[giver] = rarest_first(shares[giver], labels, classes);
    for (std::size_t k = 0; k < missing; ++k) {
      owner[left[giver].back()] = j;
      left[giver].pop_back();
    }
    largest.emplace(size - missing, giver);
  }
}

GOSSIP_INLINE std::vector<std::uint32_t> dirichlet::rarest_first(
    std::span<std::uint32_t const> samples, std::span<std::uint16_t const> labels,
    std::size_t classes) {
  std::vector<std::uint32_t> order(samples.begin(), samples.end());
  std::vector<std::uint32_t> count(classes, 0);
  for (std::uint32_t const s : order) ++count[labels[s]];
  std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
    return std::tuple(count[labels[a]], labels[a], a) < std::tuple(count[labels[b]], labels[b], b);
  });
  return order;
}

}  // namespace gossip
