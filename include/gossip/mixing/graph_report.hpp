// Report on a network before a run: components, degrees, mixing speed.
#pragma once

#include <cstddef>
#include <optional>
#include <ostream>
#include <sstream>
#include <string>

#include <gossip/graph/components.hpp>
#include <gossip/graph/graph.hpp>
#include <gossip/mixing/spectrum.hpp>

namespace gossip {

/// The figures of a graph and of the weights on it.
struct graph_report {
  std::size_t nodes = 0;
  std::size_t edges = 0;
  std::size_t components = 0;
  std::size_t largest_component = 0;   // nodes
  std::size_t self_loops_dropped = 0;  // on reading
  std::size_t duplicates_dropped = 0;
  std::size_t unused_columns = 0;  // of its file: weights, times
  std::size_t min_degree = 0;
  double mean_degree = 0.0;
  std::size_t max_degree = 0;
  std::optional<double> spectral_gap;   // of the weights in use; none where there are none
  bool spectral_gap_converged = false;  // if not, the gap is smaller than given

  /// ", columns 3 and 4 not used" of a file of edges.
  static std::string unused(std::size_t columns);

  /// A few aligned lines, without a line end after the last.
  friend std::ostream &operator<<(std::ostream &out, graph_report const &report) {
    std::ostringstream text;  // the caller's number format does not matter
    text.precision(4);
    text << "nodes         " << report.nodes << '\n'
         << "edges         " << report.edges << '\n'
         << "components    " << report.components << ", the largest of " << report.largest_component
         << " nodes\n"
         << "dropped       " << report.self_loops_dropped << " self-loops, "
         << report.duplicates_dropped << " duplicates" << unused(report.unused_columns) << '\n'
         << "degree        " << report.min_degree << " to " << report.max_degree << ", mean "
         << report.mean_degree << '\n'
         << "spectral gap  ";
    if (report.spectral_gap)
      text << (report.spectral_gap_converged ? "" : "at most ") << *report.spectral_gap;
    else
      text << "none without a matrix of weights";
    return out << text.str();
  }
};

/// The report of a graph alone, without a spectral gap. Throws input_error for one without nodes.
graph_report describe_graph(graph const &g);

/// The report of a graph with these weights: one matrix, or by_round, of which the gap is that of a
/// period's product; of no round there is none. Throws input_error for a graph without nodes.
template <class Weights>
graph_report describe(graph const &g, Weights const &weights) {
  graph_report report = describe_graph(g);
  if constexpr (requires { weights.empty(); })
    if (weights.empty()) return report;
  spectrum const mixing = spectral_gap(weights);
  report.spectral_gap = mixing.gap;
  report.spectral_gap_converged = mixing.converged;
  return report;
}

/// The report with the usual weights: Metropolis-Hastings, on a directed graph uniform.
graph_report describe(graph const &g);

}  // namespace gossip

#ifndef GOSSIP_COMPILED
#include <gossip/mixing/detail/graph_report.ipp>
#endif
