// Exchanges that are no good for learning but good for tests of a plan.
#pragma once

#include <gossip/core/node.hpp>
#include <gossip/plan/exchange.hpp>

#include <cstdint>
#include <vector>

namespace gossip::test {

/// Takes a share of two random neighbours' models before it steps.
struct pull_twice {
  void on_trained(auto &plan, node i) const {
    for (int k = 0; k < 2 && plan.has_neighbor(i); ++k)
      plan.combine(i, plan.random_neighbor(i), 0.25);
    plan.step(i);
    plan.train(i);
  }
};

/// In rounds; each node reads the next one's model between its gradient and its step.
struct read_round {
  void on_round(auto &plan, round_number) const {
    plan.train_all();
    for (node i = 0; i + 1 < plan.nodes(); ++i) plan.combine(i, i + 1, 0.25);
    plan.step_all();
  }
};

/// Writes down whose training has finished.
struct note_events {
  std::vector<node> *finished;

  void on_trained(auto &plan, node i) const {
    finished->push_back(i);
    plan.step(i);
    plan.train(i);
  }
};

/// Three steps of its own between two averages; the count is the node's state.
struct local_steps {
  struct node_state {
    std::uint64_t steps = 0;
  };
  void on_trained(auto &plan, node i) const {
    if (++plan.state(i).steps % 3 == 0 && plan.has_neighbor(i))
      plan.average(i, plan.random_neighbor(i));
    plan.step(i);
    plan.train(i);
  }
};

/// Two trainings and steps a round.
struct two_a_round {
  void on_round(auto &plan, round_number) const {
    for (int k = 0; k < 2; ++k) {
      plan.train_all();
      plan.step_all();
    }
  }
  static constexpr exchange_properties properties() { return {.gradient_waits = false}; }
};

/// Only even nodes train.
struct even_nodes {
  void on_round(auto &plan, round_number) const {
    for (node i = 0; i < plan.nodes(); i += 2) {
      plan.train(i);
      plan.step(i);
    }
  }
};

/// Says that gradients do not wait, and mixes between training and step.
struct waits_after_all {
  bool reads = false;  // another node reads instead of all mixing

  void on_round(auto &plan, round_number k) const {
    plan.train_all();
    if (reads)
      plan.combine(1, 0, 0.5);
    else
      plan.mix_all(plan.weights(k));
    plan.step_all();
  }
  static constexpr exchange_properties properties() { return {.gradient_waits = false}; }
  mixing_matrix weights(graph const &g) const {
    return mixing_matrix::over(g, [](auto, auto) { return 0.1; });
  }
};

/// Properties that depend on members, and are known at run time.
struct says_late {
  bool shared = false, waits = true;

  void on_round(auto &plan, round_number) const {
    plan.train_all();
    plan.step_all();
  }
  exchange_properties properties() const {
    return {.gradient_waits = waits, .replicas_identical = shared};
  }
};

/// Steps once more than it trains, or before.
struct steps_too_often {
  bool before = false;

  void on_round(auto &plan, round_number) const {
    if (before) plan.step(1);
    plan.train_all();
    plan.step_all();
    plan.step(2);
  }
};

/// Never trains in a round.
struct idle_rounds {
  void on_round(auto &, round_number) const {}
};

/// Forgets to train again.
struct one_training {
  void on_trained(auto &plan, node i) const { plan.step(i); }
};

/// Nobody begins.
struct no_start {
  void on_start(auto &) const {}
  void on_trained(auto &plan, node i) const { plan.train(i); }
};

}  // namespace gossip::test
