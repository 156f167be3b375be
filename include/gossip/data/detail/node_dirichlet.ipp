// Definitions of data/node_dirichlet.hpp.
#pragma once

#include <gossip/data/node_dirichlet.hpp>

#include <limits>
#include <numeric>
#include <vector>

#include <gossip/core/inline.hpp>

namespace gossip {

GOSSIP_INLINE partition node_dirichlet::assign(std::span<std::uint16_t const> labels,
                                               std::size_t classes, std::size_t nodes,
                                               std::uint64_t seed) const {
  detail::check_enough_samples("node_dirichlet", labels.size(), nodes);
  detail::check_alpha("node_dirichlet", alpha);
  std::vector<double> wanted(nodes * classes);  // (nodes, classes) logarithms
  for (std::size_t i = 0; i < nodes; ++i) {
    keyed_random random(seed, purpose::partition, static_cast<std::uint32_t>(i), 1);
    detail::draw_logarithms(std::span(wanted).subspan(i * classes, classes), alpha, random);
  }
  partition const by_class = group_by(labels, classes);
  keyed_random random(seed, purpose::partition, 0, 0);
  std::vector<std::vector<std::uint32_t>> left(classes), lists(nodes);
  for (node c = 0; c < classes; ++c) {
    left[c].assign(by_class[c].begin(), by_class[c].end());
    detail::shuffle(left[c], random);
  }
  std::vector<node> open(nodes);  // nodes that have not their share yet
  std::iota(open.begin(), open.end(), node{0});
  std::vector<double> weights(classes);
  while (!open.empty()) {
    node &chosen = open[random.below(static_cast<std::uint32_t>(open.size()))];
    for (std::size_t c = 0; c < classes; ++c)
      weights[c] =
          left[c].empty() ? -std::numeric_limits<double>::infinity() : wanted[chosen * classes + c];
    auto &of_class = left[drawn(weights, random)];
    std::vector<std::uint32_t> &list = lists[chosen];
    if (replacement) {
      list.push_back(of_class[random.below(static_cast<std::uint32_t>(of_class.size()))]);
    } else {
      list.push_back(of_class.back());
      of_class.pop_back();
    }
    if (list.size() < share(labels.size(), nodes, chosen)) continue;
    chosen = open.back();
    open.pop_back();
  }
  return joined_lists(lists);
}

}  // namespace gossip
