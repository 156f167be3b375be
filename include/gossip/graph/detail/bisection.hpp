// A weighted graph in two parts of given weight with few edges between them: coarsened by
// heavy-edge matching, divided by growing a part, refined on the way back by moving nodes.
// G. Karypis, V. Kumar, "A fast and high quality multilevel scheme for partitioning irregular
// graphs", SIAM J. Sci. Comput. 1998; C. Fiduccia, R. Mattheyses, "A linear-time heuristic for
// improving network partitions", DAC 1982.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <numeric>
#include <queue>
#include <utility>
#include <vector>

#include <gossip/graph/detail/weighted_graph.hpp>

namespace gossip::detail {

using sides = std::vector<std::uint8_t>;  // (n) 0 or 1

/// Moves nodes between the parts, best gain first, each once a pass; a pass ends at the best state
/// that it has seen. Here and below, ties go to the smaller node, so that all runs give the same.
class refinement {
 public:
  /// target: the weight of part 0; slack: the most that a result may differ from it.
  refinement(weighted_graph const &g, std::uint64_t target, std::uint64_t slack, sides &side)
      : graph_(g),
        target_(static_cast<std::int64_t>(target)),
        slack_(static_cast<std::int64_t>(slack)),
        side_(side),
        gain_(g.nodes()),
        moved_(g.nodes()) {
    for (std::size_t i = 0; i < g.nodes(); ++i)
      if (side_[i] == 0) weight_ += g.weights[i];
  }

  void run(int passes = 8) {
    while (passes-- > 0 && pass()) {
    }
  }

  /// Weight of the edges between the parts.
  std::uint64_t cut() const {
    std::uint64_t twice = 0;
    for (std::size_t i = 0; i < graph_.nodes(); ++i)
      for (auto const l : graph_.of(i)) twice += side_[i] != side_[l.to] ? l.weight : 0;
    return twice / 2;
  }
  std::int64_t excess() const { return std::max<std::int64_t>(0, away(weight_) - slack_); }

 private:
  struct candidate {
    std::int64_t gain;
    node who;
    friend bool operator<(candidate a, candidate b) {
      return a.gain != b.gain ? a.gain < b.gain : a.who > b.who;
    }
  };
  using heap = std::priority_queue<candidate>;

  std::int64_t away(std::int64_t weight) const { return std::abs(weight - target_); }

  bool pass() {
    std::array<heap, 2> heaps;
    std::fill(moved_.begin(), moved_.end(), std::uint8_t{0});
    bool const unbalanced = away(weight_) > slack_;
    for (std::size_t i = 0; i < graph_.nodes(); ++i) {
      bool boundary = unbalanced;
      gain_[i] = 0;
      for (auto const l : graph_.of(i)) {
        bool const across = side_[i] != side_[l.to];
        gain_[i] += across ? l.weight : -static_cast<std::int64_t>(l.weight);
        boundary |= across;
      }
      if (boundary) heaps[side_[i]].push({gain_[i], static_cast<node>(i)});
    }
    std::vector<node> moves;
    std::size_t kept = 0;
    std::int64_t saved = 0, best_saved = 0, best_away = std::max(away(weight_), slack_);
    std::int64_t const room = std::max<std::int64_t>(slack_, graph_.heaviest());
    std::size_t const patience = 50 + graph_.nodes() / 100;
    while (moves.size() - kept <= patience) {
      int const from = choose(heaps, room);
      if (from < 0) break;
      node const who = heaps[static_cast<std::size_t>(from)].top().who;
      heaps[static_cast<std::size_t>(from)].pop();
      saved += gain_[who];
      move(who, &heaps);
      moves.push_back(who);
      std::int64_t const now = std::max(away(weight_), slack_);
      if (now < best_away || (now == best_away && saved > best_saved)) {
        best_away = now;
        best_saved = saved;
        kept = moves.size();
      }
    }
    for (std::size_t m = moves.size(); m > kept; --m) move(moves[m - 1], nullptr);
    return kept > 0;
  }

  /// The part whose best node goes next, or -1: the better gain of those that keep the weights
  /// within `room` of what they should be, or bring them nearer.
  int choose(std::array<heap, 2> &heaps, std::int64_t room) const {
    int best = -1;
    for (int from = 0; from < 2; ++from) {
      heap &own = heaps[static_cast<std::size_t>(from)];
      while (!own.empty() && stale(own.top(), from)) own.pop();
      if (own.empty()) continue;
      auto const change = static_cast<std::int64_t>(graph_.weights[own.top().who]);
      std::int64_t const after = away(weight_ + (from == 0 ? -change : change));
      if (after > room && after >= away(weight_)) continue;
      if (best < 0 || heaps[static_cast<std::size_t>(best)].top() < own.top()) best = from;
    }
    return best;
  }

  bool stale(candidate const &c, int side) const {
    return moved_[c.who] || side_[c.who] != side || gain_[c.who] != c.gain;
  }

  /// Gains of neighbours follow; where heaps are given, the neighbours come into them anew.
  void move(node who, std::array<heap, 2> *heaps) {
    auto const weight = static_cast<std::int64_t>(graph_.weights[who]);
    weight_ += side_[who] == 0 ? -weight : weight;
    side_[who] ^= 1;
    moved_[who] = 1;
    gain_[who] = -gain_[who];
    for (auto const l : graph_.of(who)) {
      std::int64_t const twice = 2 * static_cast<std::int64_t>(l.weight);
      gain_[l.to] += side_[l.to] == side_[who] ? -twice : twice;
      if (heaps && !moved_[l.to]) (*heaps)[side_[l.to]].push({gain_[l.to], l.to});
    }
  }

  weighted_graph const &graph_;
  std::int64_t target_, slack_, weight_ = 0;  // of part 0
  sides &side_;
  std::vector<std::int64_t> gain_;   // (n) edge weight that a move saves
  std::vector<std::uint8_t> moved_;  // (n) in this pass
};

/// Part 0 grows from a node by the neighbour that is tied to it most.
inline sides grown_from(weighted_graph const &g, node start, std::uint64_t target) {
  sides side(g.nodes(), 1);
  std::vector<std::int64_t> tie(g.nodes(), 0);
  std::priority_queue<std::pair<std::int64_t, node>> next;
  std::uint64_t weight = 0;
  std::size_t unseen = 0;
  for (next.push({0, start}); weight < target;) {
    if (next.empty()) {  // another piece of a network in pieces
      if (unseen == g.nodes()) break;
      next.push({0, static_cast<node>(unseen++)});
    }
    node const who = next.top().second;
    next.pop();
    if (side[who] == 0 || (weight > 0 && weight + g.weights[who] / 2 > target)) continue;
    side[who] = 0;
    weight += g.weights[who];
    for (auto const l : g.of(who))
      if (side[l.to] == 1) next.push({tie[l.to] += 2 * std::int64_t{l.weight}, l.to});
  }
  return side;
}

/// Pairs of nodes joined by heavy edges become one; number[i] is what node i becomes part of.
/// Returns how many there are then.
inline std::size_t match(weighted_graph const &g, std::uint64_t largest,
                         std::vector<node> &number) {
  constexpr node none = static_cast<node>(-1);
  std::vector<node> order(g.nodes());
  std::iota(order.begin(), order.end(), node{0});
  std::sort(order.begin(), order.end(), [&](node i, node j) {
    std::size_t const a = g.of(i).size(), b = g.of(j).size();
    return a != b ? a < b : i < j;
  });
  number.assign(g.nodes(), none);
  node count = 0;
  for (node const i : order) {
    if (number[i] != none) continue;
    node partner = none;
    std::uint32_t heaviest = 0;
    for (auto const l : g.of(i)) {
      if (number[l.to] != none || g.weights[i] + std::uint64_t{g.weights[l.to]} > largest) continue;
      if (l.weight > heaviest) {
        heaviest = l.weight;
        partner = l.to;
      }
    }
    number[i] = count;
    if (partner != none) number[partner] = count;
    ++count;
  }
  return count;
}

/// The parts of a graph: part 0 has weight `target`, within `slack`.
inline sides bisect(weighted_graph const &g, std::uint64_t target, std::uint64_t slack) {
  constexpr std::size_t coarse_enough = 120, starts = 8;
  std::vector<node> number;
  std::uint64_t const largest = std::max<std::uint64_t>(2, 3 * g.total() / (2 * coarse_enough));
  std::size_t const count = g.nodes() > coarse_enough ? match(g, largest, number) : g.nodes();
  if (count < g.nodes() - g.nodes() / 20) {
    weighted_graph const coarse = g.contracted(number, count);
    sides const above = bisect(coarse, target, std::max<std::uint64_t>(slack, coarse.heaviest()));
    sides side(g.nodes());
    for (std::size_t i = 0; i < g.nodes(); ++i) side[i] = above[number[i]];
    refinement(g, target, slack, side).run();
    return side;
  }
  sides best;
  std::pair<std::int64_t, std::uint64_t> least{std::numeric_limits<std::int64_t>::max(), 0};
  for (std::size_t s = 0; s < std::min(starts, g.nodes()); ++s) {
    auto const start = static_cast<node>(s * g.nodes() / std::min(starts, g.nodes()));
    sides side = grown_from(g, start, target);
    refinement moves(g, target, slack, side);
    moves.run();
    std::pair const found{moves.excess(), moves.cut()};
    if (found < least) {
      least = found;
      best = std::move(side);
    }
  }
  return best;
}

}  // namespace gossip::detail
