// Definitions of graph/graph.hpp.
#pragma once

#include <gossip/graph/graph.hpp>

#include <utility>

#include <gossip/core/inline.hpp>

namespace gossip {

GOSSIP_INLINE std::vector<edge> graph::edge_list() const {
  std::vector<edge> list;
  list.reserve(edges());
  for (std::size_t i = 0; i < nodes(); ++i)
    for (node const j : neighbors(i))
      if (directed_ || i < j) list.push_back({static_cast<node>(i), j});
  return list;
}

GOSSIP_INLINE graph graph::reversed() const {
  if (!directed_) return *this;
  if (rounds_) return changing(rounds_->map([](graph const &g) { return g.reversed(); }));
  std::vector<edge> arcs = edge_list();
  for (edge &arc : arcs) std::swap(arc.from, arc.to);
  return rebuilt(nodes(), arcs);
}

GOSSIP_INLINE graph graph::induced(std::span<node const> kept) const {
  if (rounds_) return changing(rounds_->map([&](graph const &g) { return g.induced(kept); }));
  std::vector<node> renumbered(nodes(), absent);  // (n)
  for (std::size_t k = 0; k < kept.size(); ++k) renumbered[kept[k]] = static_cast<node>(k);
  std::vector<edge> inside;
  for (edge const e : edge_list())
    if (renumbered[e.from] != absent && renumbered[e.to] != absent)
      inside.push_back({renumbered[e.from], renumbered[e.to]});
  return rebuilt(kept.size(), inside);
}

GOSSIP_INLINE graph::graph(std::size_t nodes, std::vector<edge> const &pairs, bool directed)
    : directed_(directed), offsets_(checked_index(nodes, "graph") + std::size_t{1}, 0) {
  if (pairs.size() > most_edges)
    throw input_error("graph", "at most " + std::to_string(most_edges) + " edges",
                      std::to_string(pairs.size()));
  count_degrees(pairs);
  fill_rows(pairs);
  merge_duplicates();
  dropped_.duplicates = pairs.size() - dropped_.self_loops - edges();
}

GOSSIP_INLINE void graph::count_degrees(std::vector<edge> const &pairs) {
  for (edge const e : pairs) {
    if (std::max(e.from, e.to) >= nodes())
      throw input_error("graph", "nodes below " + std::to_string(nodes()),
                        std::to_string(std::max(e.from, e.to)));
    if (e.from == e.to) {
      ++dropped_.self_loops;
      continue;
    }
    ++offsets_[e.from + std::size_t{1}];
    if (!directed_) ++offsets_[e.to + std::size_t{1}];
  }
  for (std::size_t i = 0; i < nodes(); ++i) offsets_[i + 1] += offsets_[i];
}

GOSSIP_INLINE void graph::fill_rows(std::vector<edge> const &pairs) {
  targets_.resize(offsets_.back());
  std::vector<std::size_t> next(offsets_.begin(), offsets_.end() - 1);  // (n)
  for (edge const e : pairs) {
    if (e.from == e.to) continue;
    targets_[next[e.from]++] = e.to;
    if (!directed_) targets_[next[e.to]++] = e.from;
  }
}

GOSSIP_INLINE void graph::merge_duplicates() {
  std::size_t begin = 0;
  std::size_t kept = 0;
  for (std::size_t i = 0; i < nodes(); ++i) {
    std::size_t const end = offsets_[i + 1];
    auto const first = targets_.begin() + static_cast<std::ptrdiff_t>(begin);
    auto const last = targets_.begin() + static_cast<std::ptrdiff_t>(end);
    std::sort(first, last);
    auto const distinct = std::unique(first, last);
    auto const target = targets_.begin() + static_cast<std::ptrdiff_t>(kept);
    kept += static_cast<std::size_t>(distinct - first);
    if (target != first) std::move(first, distinct, target);
    offsets_[i + 1] = kept;
    begin = end;
  }
  targets_.resize(kept);
}

GOSSIP_INLINE graph graph::changing(by_round<graph> rounds) {
  std::vector<edge> all;
  for (graph const &g : rounds.values()) {
    graph const &first = rounds.values().front();
    if (g.nodes() != first.nodes() || g.directed() != first.directed())
      throw input_error("graph",
                        "rounds with equal numbers of nodes, either all directed or all undirected",
                        std::to_string(first.nodes()) + " and " + std::to_string(g.nodes()) +
                            " nodes, or a directed and an undirected round");
    auto const edges = g.edge_list();
    all.insert(all.end(), edges.begin(), edges.end());
  }
  if (rounds.empty()) throw input_error("graph", "at least one round", "none");
  graph made(rounds.values().front().nodes(), all, rounds.values().front().directed());
  made.dropped_ = {};
  made.rounds_ = std::make_shared<by_round<graph> const>(std::move(rounds));
  return made;
}

}  // namespace gossip
