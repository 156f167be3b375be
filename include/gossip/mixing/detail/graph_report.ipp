// Definitions of mixing/graph_report.hpp.
#pragma once

#include <gossip/mixing/graph_report.hpp>

#include <algorithm>

#include <gossip/core/error.hpp>
#include <gossip/core/inline.hpp>
#include <gossip/mixing/metropolis_hastings.hpp>
#include <gossip/mixing/uniform_neighbor.hpp>

namespace gossip {

GOSSIP_INLINE std::string graph_report::unused(std::size_t columns) {
  if (columns == 0) return "";
  if (columns == 1) return ", column 3 not used";
  return (columns == 2 ? ", columns 3 and " : ", columns 3 to ") + std::to_string(columns + 2) +
         " not used";
}

GOSSIP_INLINE graph_report describe_graph(graph const &g) {
  if (g.nodes() == 0) throw input_error("describe", "at least one node", "none");
  component_map const map = components(g);
  graph_report report;
  report.nodes = g.nodes();
  report.edges = g.edges();
  report.components = map.sizes.size();
  report.largest_component = map.sizes[map.largest()];
  report.self_loops_dropped = g.dropped().self_loops;
  report.duplicates_dropped = g.dropped().duplicates;
  report.unused_columns = g.dropped().unused_columns;
  report.min_degree = g.degree(0);
  for (std::size_t i = 0; i < g.nodes(); ++i) {
    report.min_degree = std::min(report.min_degree, g.degree(i));
    report.max_degree = std::max(report.max_degree, g.degree(i));
    report.mean_degree += static_cast<double>(g.degree(i)) / static_cast<double>(g.nodes());
  }
  return report;
}

GOSSIP_INLINE graph_report describe(graph const &g) {
  if (g.nodes() == 0) throw input_error("describe", "at least one node", "none");
  auto const with = [&g](auto const &rule) {
    return g.rounds() ? describe(g, weights_by_round(rule, g)) : describe(g, rule.weights(g));
  };
  return g.directed() ? with(uniform_neighbor{}) : with(metropolis_hastings{});
}

}  // namespace gossip
