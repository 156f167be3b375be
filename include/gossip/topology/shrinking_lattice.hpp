// A network that is dense first and sparse later, as Ada's. What is published of Ada is that it
// adapts the graph throughout training; this schedule of degrees is a parametric one of ours.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <gossip/core/by_round.hpp>
#include <gossip/core/described.hpp>
#include <gossip/core/error.hpp>
#include <gossip/topology/detail/ring_lattice_edges.hpp>
#include <gossip/topology/topology.hpp>

namespace gossip {

/// A ring lattice whose nodes lose `by` neighbours every so many rounds, until `least` are left.
/// All three are even.
struct shrinking_lattice {
  std::size_t nodes = 16;
  std::size_t degree = 8;
  std::size_t least = 2;
  std::size_t by = 2;
  std::size_t every = 100;

  /// The neighbours of a node in round k.
  std::size_t degree_of(round_number k) const {
    round_number const steps = (degree - std::min(least, degree)) / std::max(by, std::size_t{1});
    round_number const lost = std::min(k / every, steps + 1) * by;
    return std::max<std::size_t>(degree - std::min<std::size_t>(lost, degree), least);
  }

  graph_size size() const {
    return {nodes, static_cast<double>(nodes) * static_cast<double>(degree) / 2.0};
  }
  graph build(std::uint64_t /*seed*/ = 0) const {
    detail::require_lattice("shrinking_lattice", "degree", nodes, degree);
    detail::require_lattice("shrinking_lattice", "least", nodes, least);
    detail::require_at_least("shrinking_lattice", "by", 2, by);
    detail::require_at_least("shrinking_lattice", "every", 1, every);
    if (least > degree || by % 2 == 1)
      throw input_error(
          "shrinking_lattice", "least at most degree, and an even by",
          std::to_string(least) + ", " + std::to_string(degree) + " and " + std::to_string(by));
    std::vector<graph> graphs;
    std::vector<round_number> first;
    for (round_number k = 0; first.empty() || degree_of(k) < degree_of(first.back()); k += every) {
      graphs.push_back(graph::undirected(nodes, detail::ring_lattice_edges(nodes, degree_of(k))));
      first.push_back(k);
    }
    if (graphs.size() == 1) return graphs.front();
    return graph::changing(by_round<graph>(std::move(graphs), std::move(first)));
  }

  static constexpr char const *name = "shrinking_lattice";
  static constexpr char const *meaning = "ring lattice whose degree falls from round to round";
  static constexpr auto members() {
    return member_list{
        described("nodes", &shrinking_lattice::nodes, "number of nodes",
                  {.least = 1, .most = node_limit}),
        described("degree", &shrinking_lattice::degree,
                  "number of neighbors in the first rounds, even", {.most = node_limit}),
        described("least", &shrinking_lattice::least,
                  "number of neighbors in the last rounds, even", {.most = node_limit}),
        described("by", &shrinking_lattice::by,
                  "number of neighbors that a node loses at a time, even",
                  {.least = 2, .most = node_limit}),
        described("every", &shrinking_lattice::every, "number of rounds between losses",
                  {.least = 1})};
  }
};

static_assert(topology<shrinking_lattice>);

}  // namespace gossip
