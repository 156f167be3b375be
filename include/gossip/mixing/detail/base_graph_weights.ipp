// Definitions of mixing/base_graph_weights.hpp.
#pragma once

#include <gossip/mixing/base_graph_weights.hpp>

#include <algorithm>
#include <utility>

#include <gossip/core/error.hpp>
#include <gossip/core/inline.hpp>

namespace gossip {

GOSSIP_INLINE std::vector<mixing_matrix> base_graph_weights::weights(graph const &g) const {
  if (peers == 0) throw input_error("base_graph_weights: peers", "at least 1", "0");
  std::vector<mixing_matrix> rounds;
  for (detail::weighted_round const &round : detail::base_graph_rounds(g.nodes(), peers))
    rounds.push_back(of_round(round, g));
  if (rounds.empty()) rounds.push_back(of_round({}, g));
  return rounds;
}

GOSSIP_INLINE mixing_matrix base_graph_weights::of_round(detail::weighted_round const &round,
                                                         graph const &g) {
  std::vector<std::vector<std::pair<node, double>>> rows(g.nodes());
  for (detail::weighted_edge const &e : round) {
    if (!g.has_edge(e.from, e.to))
      throw input_error(
          "base_graph_weights", "the topology base_graph with an equal number of peers",
          "a graph without an edge of " + std::to_string(e.from) + " and " + std::to_string(e.to));
    rows[e.from].push_back({e.to, e.weight});
    rows[e.to].push_back({e.from, e.weight});
  }
  std::vector<std::size_t> offsets{0};
  std::vector<node> columns;
  std::vector<double> values;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    detail::compensated_sum own;
    own.add(1.0);
    for (auto const &[j, weight] : rows[i]) own.add(-weight);
    rows[i].push_back({static_cast<node>(i), std::max(0.0, own.value())});
    std::ranges::sort(rows[i]);
    for (auto const &[j, weight] : rows[i]) {
      columns.push_back(j);
      values.push_back(weight);
    }
    offsets.push_back(columns.size());
  }
  return {std::move(offsets), std::move(columns), std::move(values)};
}

}  // namespace gossip
