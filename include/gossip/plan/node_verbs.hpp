// The verbs of a plan for single nodes, and their random numbers.
#pragma once

#include <cstddef>

#include <gossip/core/node.hpp>
#include <gossip/plan/node_chance.hpp>

namespace gossip {

/// A part of plan_verbs.
template <class Verbs>
class node_verbs {
 public:
  bool has_neighbor(node i) const { return i < self().nodes() && self().topology().degree(i) > 0; }

  /// A neighbour of node i, uniformly at random; i must have one.
  [[gnu::always_inline]] node random_neighbor(node i) {
    return detail::draw_neighbor(self().graph_, self().settings_.seed, i, self().nodes_[i].draws++);
  }

  /// The next random number of node i, keyed by (seed, purpose::exchange, i, number of its draw):
  /// uniform in [0, 1), or true with probability p.
  double random(node i) {
    return detail::draw_uniform(self().settings_.seed, i, self().nodes_[i].chances++);
  }
  bool chance(node i, double p) {
    return detail::draw_chance(self().settings_.seed, i, self().nodes_[i].chances++, p);
  }

 private:
  Verbs &self() { return static_cast<Verbs &>(*this); }
  Verbs const &self() const { return static_cast<Verbs const &>(*this); }
};

}  // namespace gossip
