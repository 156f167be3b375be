// Definitions of data/detail/dirichlet_draw.hpp.
#pragma once

#include <gossip/data/detail/dirichlet_draw.hpp>

#include <algorithm>
#include <limits>

#include <gossip/core/inline.hpp>

namespace gossip::detail {

GOSSIP_INLINE double cumulate(std::span<double> weights) {
  double const greatest = *std::max_element(weights.begin(), weights.end());
  double total = 0.0;
  for (double &weight : weights) {
    double const relative = weight - greatest;
    total += relative > -700.0 ? elementary::exp(relative) : 0.0;
    weight = total;
  }
  return total;
}

GOSSIP_INLINE std::vector<node> deal_by_class(partition const &by_class, std::size_t nodes,
                                              double alpha, std::uint64_t seed,
                                              std::uint64_t step) {
  std::vector<node> owner(by_class.samples().size());
  std::vector<std::size_t> sizes(nodes, 0);
  std::vector<double> weights(nodes);
  std::vector<std::uint32_t> members;
  for (node c = 0; c < by_class.nodes(); ++c) {
    members.assign(by_class[c].begin(), by_class[c].end());
    keyed_random random(seed, purpose::partition, c, step);
    shuffle(members, random);
    draw_logarithms(weights, alpha, random);
    for (std::size_t j = 0; j < nodes; ++j)
      if (sizes[j] * nodes >= owner.size()) weights[j] = -std::numeric_limits<double>::infinity();
    if (members.empty()) continue;
    cut_in_proportion(weights, members.size(),
                      [&](std::size_t j, std::size_t begin, std::size_t end) {
                        for (std::size_t k = begin; k < end; ++k)
                          owner[members[k]] = static_cast<node>(j);
                        sizes[j] += end - begin;
                      });
  }
  return owner;
}

GOSSIP_INLINE std::size_t smallest_share(partition const &shares) {
  std::size_t least = std::numeric_limits<std::size_t>::max();
  for (node i = 0; i < shares.nodes(); ++i) least = std::min(least, shares.size(i));
  return least;
}

}  // namespace gossip::detail
