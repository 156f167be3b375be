// Exchanges that use the verbs which the library's own leave out.
#pragma once

#include <gossip/graph/graph.hpp>
#include <gossip/mixing/matrix.hpp>
#include <gossip/mixing/metropolis_hastings.hpp>

namespace gossip::test {

/// A node takes a third of one random neighbour's model, then steps.
struct pulls {
  void on_trained(auto &plan, node i) const {
    if (plan.has_neighbor(i)) plan.combine(i, plan.random_neighbor(i), 1.0 / 3);
    plan.step(i);
    plan.train(i);
  }
};

/// Everybody takes some of node 0, which then takes some of everybody: one row for many readers,
/// and many for one.
struct stars {
  void on_round(auto &plan, round_number) const {
    plan.train_all();
    plan.step_all();
    for (node i = 1; i < plan.nodes(); ++i) plan.combine(i, 0, 0.5);
    for (node i = 1; i < plan.nodes(); ++i) plan.combine(0, i, 0.125);
  }
};

/// Pairs in a chain, each average needing the one before it; then two mixtures in a row.
struct chains {
  void on_round(auto &plan, round_number k) const {
    plan.train_all();
    for (node i = 0; i + 1 < plan.nodes(); ++i) plan.average(i, i + 1);
    plan.mix_all(plan.weights(k));
    plan.mix_all(plan.weights(k));
    plan.step_all();
    for (node i = 0; i + 1 < plan.nodes(); i += 2) plan.combine(i + 1, i, 0.75);
  }
  mixing_matrix weights(graph const &g) const { return metropolis_hastings{}.weights(g); }
};

}  // namespace gossip::test
