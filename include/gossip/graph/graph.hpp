// The network of a run: an immutable graph in compressed sparse rows.
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <gossip/core/by_round.hpp>
#include <gossip/core/error.hpp>
#include <gossip/core/node.hpp>

namespace gossip {

/// A pair of nodes: an edge of an undirected graph (either order), an arc of a directed one.
struct edge {
  node from = 0;
  node to = 0;
  friend bool operator==(edge, edge) = default;
};

/// The parts of a file or a list that a simple graph leaves out.
struct dropped_pairs {
  std::size_t self_loops = 0;
  std::size_t duplicates = 0;      // repetitions, and the second direction of an undirected edge
  std::size_t unused_columns = 0;  // of a file, behind the ends of an edge: weights, times
};

/// A simple graph: no self-loops, no parallel edges, neighbours in ascending order. One that
/// changes has a graph for every round besides, and is itself their union. Memory: 8 bytes a node,
/// 4 bytes an arc (an undirected edge is two arcs).
class graph {
 public:
  /// The most pairs a graph is built from: 2 GiB of list and 2 GiB of rows.
  static constexpr std::size_t most_edges = std::size_t{1} << 28;

  graph() = default;

  /// The undirected graph on nodes 0..nodes-1; throws input_error for a pair outside of them.
  static graph undirected(std::size_t nodes, std::vector<edge> const &edges) {
    return graph(nodes, edges, false);
  }

  /// The directed graph on nodes 0..nodes-1; i->j and j->i are two arcs.
  static graph directed(std::size_t nodes, std::vector<edge> const &arcs) {
    return graph(nodes, arcs, true);
  }

  /// The union of graphs that rounds take. Throws input_error unless all have the same number of
  /// nodes and all are directed or none is.
  static graph changing(by_round<graph> rounds);

  /// The graphs of rounds; nullptr where one holds for all rounds.
  by_round<graph> const *rounds() const { return rounds_.get(); }

  std::size_t nodes() const { return offsets_.size() - 1; }

  /// Undirected edges, or arcs if directed.
  std::size_t edges() const { return directed_ ? targets_.size() : targets_.size() / 2; }

  bool directed() const { return directed_; }

  /// The neighbours of i, ascending; in a directed graph those that i sends to. This and the next
  /// two throw input_error for a node that is not there.
  std::span<node const> neighbors(std::size_t i) const {
    return {targets_.data() + offsets_[checked(i)], degree(i)};
  }

  /// The degree of i: its number of neighbours; in a directed graph the number that i sends to.
  std::size_t degree(std::size_t i) const { return offsets_[checked(i) + 1] - offsets_[i]; }

  /// Whether i is joined to j, in O(log degree).
  bool has_edge(std::size_t i, std::size_t j) const {
    auto const row = neighbors(i);
    return std::binary_search(row.begin(), row.end(), checked(j));
  }

  dropped_pairs dropped() const { return dropped_; }

  /// The same graph of a file that has so many columns more in each line.
  graph without_columns(std::size_t unused) const {
    graph same = *this;
    same.dropped_.unused_columns = unused;
    return same;
  }

  /// Every edge once (from < to), or every arc, ascending.
  std::vector<edge> edge_list() const;

  /// Every arc turned round; an undirected graph is its own reverse.
  graph reversed() const;

  /// The graph on the kept nodes alone (ascending), renumbered 0..kept-1 in that order.
  graph induced(std::span<node const> kept) const;

  /// The same nodes and edges; what was dropped on the way there does not count.
  friend bool operator==(graph const &a, graph const &b) {
    if (!a.rounds_ != !b.rounds_ || (a.rounds_ && !(*a.rounds_ == *b.rounds_))) return false;
    return a.directed_ == b.directed_ && a.offsets_ == b.offsets_ && a.targets_ == b.targets_;
  }

 private:
  static constexpr node absent = static_cast<node>(-1);

  graph(std::size_t nodes, std::vector<edge> const &pairs, bool directed);

  graph rebuilt(std::size_t nodes, std::vector<edge> const &pairs) const {
    graph result(nodes, pairs, directed_);
    result.dropped_ = dropped_;
    return result;
  }

  std::size_t checked(std::size_t i) const {
    if (i >= nodes()) [[unlikely]]
      refuse(i);
    return i;
  }
  [[noreturn]] void refuse(std::size_t i) const {
    throw input_error("graph", "a node below " + std::to_string(nodes()), std::to_string(i));
  }

  void count_degrees(std::vector<edge> const &pairs);

  void fill_rows(std::vector<edge> const &pairs);

  void merge_duplicates();

  bool directed_ = false;
  std::vector<std::size_t> offsets_ = {0};  // (n+1)
  std::vector<node> targets_;               // (arcs)
  dropped_pairs dropped_;
  std::shared_ptr<by_round<graph> const> rounds_;
};

}  // namespace gossip

#ifndef GOSSIP_COMPILED
#include <gossip/graph/detail/graph.ipp>
#endif
