// RelaySGD. T. Vogels, L. He, A. Koloskova, T. Lin, S. P. Karimireddy, S. U. Stich, M. Jaggi,
// "RelaySum for decentralized deep learning on heterogeneous data", NeurIPS 2021, Algorithm 1.
#pragma once

#include <cstddef>
#include <vector>

#include <gossip/core/described.hpp>
#include <gossip/graph/graph.hpp>
#include <gossip/graph/spanning_tree.hpp>
#include <gossip/plan/exchange.hpp>
#include <gossip/plan/row_name.hpp>

namespace gossip {

// quote relay
/// Nodes of a spanning tree relay sums of models, so that after as many rounds as the tree is deep
/// each has the mean of all, of different rounds: h_i = x_i - rate d(x_i), node j gets the sum of
/// h_i and of what i got from its other neighbours a round before, and x_i = (h_i + what arrived
/// + (n - c_i) h_i) / n with c_i the models in it. The tree is the graph's own, or one by breadth
/// from node 0. For models of a message that is lost a node takes its own.
struct relay_sgd {
  struct message_state {
    std::size_t models = 1;  ///< in the sum
  };
  struct node_state {
    std::vector<message<message_state>> heard{};
  };

  void on_round(auto &plan, round_number) const {
    plan.train_all();
    plan.step_all();
    graph const &tree = plan.prepared();
    for (node i = 0; i < plan.nodes(); ++i)
      for (node const j : tree.neighbors(i)) relay(plan, i, j);
    for (node i = 0; i < plan.nodes(); ++i) {
      for (auto const &old : plan.state(i).heard) plan.drop(old);
      plan.state(i).heard.clear();
    }
    plan.deliver();
    double const n = static_cast<double>(plan.nodes());
    for (node i = 0; i < plan.nodes(); ++i) {
      std::size_t models = 1;
      std::vector<message_term> terms;
      for (auto const &m : plan.state(i).heard) {
        models += m.state.models;
        terms.push_back({1 / n, m});
      }
      plan.assign(i, model_row, {{(n + 1 - static_cast<double>(models)) / n, model_row}}, terms);
    }
  }

  void on_message(auto &plan, node i, auto const &m) const {
    plan.keep(m);
    plan.state(i).heard.push_back(m);
  }

  /// Along which models travel.
  static graph prepare(graph const &g) { return spanning_tree(g); }
  static constexpr exchange_properties properties() {
    return {.gradient_waits = false,
            .tolerates_loss = true,
            .tolerates_absence = true,
            .when_network_changes = network_changes::refused};
  }

  static constexpr char const *name = "relay_sgd";
  static constexpr char const *meaning =
      "Vogels et al. 2021: nodes relay sums of models along a spanning tree";
  static constexpr auto members() { return member_list{}; }

 private:
  static void relay(auto &plan, node i, node j) {
    message_state sum;
    std::vector<message_term> terms;
    for (auto const &m : plan.state(i).heard)
      if (m.from != j) {
        sum.models += m.state.models;
        terms.push_back({1, m});
      }
    plan.send(i, j, {{1, model_row}}, terms, sum);
  }
};
// end quote

static_assert(exchange<relay_sgd>);

}  // namespace gossip
