// A graph whose nodes and edges have weights: a network after pairs of its nodes have been made
// one, again and again.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

#include <gossip/core/node.hpp>
#include <gossip/graph/graph.hpp>

namespace gossip::detail {

struct weighted_graph {
  struct link {
    node to;
    std::uint32_t weight;
  };
  std::vector<std::size_t> offsets{0};  // (n + 1)
  std::vector<link> links;              // each edge from both of its ends
  std::vector<std::uint32_t> weights;   // (n)

  std::size_t nodes() const { return weights.size(); }
  std::span<link const> of(std::size_t i) const {
    return std::span(links).subspan(offsets[i], offsets[i + 1] - offsets[i]);
  }
  std::uint64_t total() const {
    return std::accumulate(weights.begin(), weights.end(), std::uint64_t{0});
  }
  std::uint32_t heaviest() const {
    return weights.empty() ? 0 : *std::max_element(weights.begin(), weights.end());
  }

  /// Every node and edge of weight 1; an arc counts as an edge.
  static weighted_graph of_network(graph const &network);

  /// The kept nodes alone, renumbered in their order.
  weighted_graph induced(std::span<node const> kept, std::vector<node> &number) const;

  /// Nodes of one number become one; numbers are below `count`.
  weighted_graph contracted(std::vector<node> const &number, std::size_t count) const;
};

}  // namespace gossip::detail

#ifndef GOSSIP_COMPILED
#include <gossip/graph/detail/weighted_graph.ipp>
#endif
