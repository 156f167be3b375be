// The contract of a topology: the communication graph of a run.
//
// A topology is a copyable aggregate of hyper-parameters with one member:
//
//     gossip::graph build(std::uint64_t seed) const;
//
// build returns the graph of the network. The same value and seed give the same graph, on any
// machine: randomness comes from keyed_random(seed, purpose::topology, ...) alone. Hyper-parameters
// that make no graph end in an input_error of one sentence: "ring: nodes must be at least 1, got
// 0". A graph that is not connected is refused there too, unless the user allowed it by name
// (require_connected in graph/components.hpp has it). One that knows before it builds how large
// its graph will be, of a random graph the mean, says so in the optional member
//
//     gossip::graph_size size() const;
//
// A network that changes from round to round is graph::changing(...) of the graphs of its rounds.
//
// A tiny model:
//
//     struct pair_of_nodes {
//       gossip::graph build(std::uint64_t) const { return gossip::graph::undirected(2, {{0, 1}}); }
//     };
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>

#include <gossip/core/copyable.hpp>
#include <gossip/graph/graph.hpp>

namespace gossip {

/// The size of a graph that is not built yet.
struct graph_size {
  std::size_t nodes;
  double edges;
};

/// build(seed) gives a graph.
template <class T>
concept builds_graph = requires(T const &made, std::uint64_t seed) {
  { made.build(seed) } -> std::same_as<graph>;
};

/// The communication graph of a run: a copyable value that builds a graph from a seed.
template <class T>
concept topology = copyable<T> && builds_graph<T>;

}  // namespace gossip
