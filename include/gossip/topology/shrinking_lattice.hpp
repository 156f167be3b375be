// A network that is dense first and sparse later, as Ada's. What is published of Ada is that it
// adapts the graph throughout training; this schedule of degrees is a parametric one of ours.
#pragma once

#include <cstddef>
#include <cstdint>

#include <gossip/core/described.hpp>
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
  std::size_t degree_of(round_number k) const;

  graph_size size() const {
    return {nodes, static_cast<double>(nodes) * static_cast<double>(degree) / 2.0};
  }
  graph build(std::uint64_t /*seed*/ = 0) const;

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

#ifndef GOSSIP_COMPILED
#include <gossip/topology/detail/shrinking_lattice.ipp>
#endif
