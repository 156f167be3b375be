// Definitions of graph/detail/weighted_graph.hpp.
#pragma once

#include <gossip/graph/detail/weighted_graph.hpp>

#include <gossip/core/inline.hpp>

namespace gossip::detail {

GOSSIP_INLINE weighted_graph weighted_graph::of_network(graph const &network) {
  weighted_graph result;
  graph const *const forth = &network;
  graph const back = network.directed() ? network.reversed() : graph();
  for (std::size_t i = 0; i < network.nodes(); ++i) {
    for (node const j : forth->neighbors(i)) result.links.push_back({j, 1});
    if (network.directed())
      for (node const j : back.neighbors(i)) result.links.push_back({j, 1});
    result.offsets.push_back(result.links.size());
  }
  result.weights.assign(network.nodes(), 1);
  return result;
}

GOSSIP_INLINE weighted_graph weighted_graph::induced(std::span<node const> kept,
                                                     std::vector<node> &number) const {
  constexpr node absent = static_cast<node>(-1);
  number.resize(nodes(), absent);
  for (std::size_t k = 0; k < kept.size(); ++k) number[kept[k]] = static_cast<node>(k);
  weighted_graph result;
  for (node const i : kept) {
    for (link const l : of(i))
      if (number[l.to] != absent) result.links.push_back({number[l.to], l.weight});
    result.offsets.push_back(result.links.size());
    result.weights.push_back(weights[i]);
  }
  for (node const i : kept) number[i] = absent;
  return result;
}

GOSSIP_INLINE weighted_graph weighted_graph::contracted(std::vector<node> const &number,
                                                        std::size_t count) const {
  weighted_graph result;
  result.weights.assign(count, 0);
  std::vector<std::size_t> first(count + 1, 0);
  for (node const c : number) ++first[c + std::size_t{1}];
  std::partial_sum(first.begin(), first.end(), first.begin());
  std::vector<node> members(nodes());
  std::vector<std::size_t> next(first.begin(), first.end() - 1);
  for (std::size_t i = 0; i < nodes(); ++i) members[next[number[i]]++] = static_cast<node>(i);
  constexpr std::size_t nowhere = static_cast<std::size_t>(-1);
  std::vector<std::size_t> place(count, nowhere);  // of the link to each node, in links
  for (std::size_t c = 0; c < count; ++c) {
    std::size_t const begin = result.links.size();
    for (std::size_t m = first[c]; m < first[c + 1]; ++m) {
      result.weights[c] += weights[members[m]];
      for (link const l : of(members[m])) {
        node const to = number[l.to];
        if (to == c) continue;
        if (place[to] == nowhere) {
          place[to] = result.links.size();
          result.links.push_back({to, 0});
        }
        result.links[place[to]].weight += l.weight;
      }
    }
    for (std::size_t l = begin; l < result.links.size(); ++l) place[result.links[l].to] = nowhere;
    result.offsets.push_back(result.links.size());
  }
  return result;
}

}  // namespace gossip::detail
