// SWIFT. M. Bornstein, T. Rabbani, E. Wang, A. S. Bedi, F. Huang, "SWIFT: rapid decentralized
// federated learning via wait-free model communication", ICLR 2023, with the weights of a rule.
#pragma once

#include <cstddef>
#include <cstdint>

#include <gossip/core/described.hpp>
#include <gossip/exchange/d_psgd.hpp>
#include <gossip/graph/graph.hpp>
#include <gossip/mixing/matrix.hpp>
#include <gossip/mixing/metropolis_hastings.hpp>
#include <gossip/plan/exchange.hpp>
#include <gossip/plan/row_name.hpp>

namespace gossip {

/// D-PSGD that combines, then adapts, in which nobody waits: nodes send their models as they begin
/// to train, each keeps the last one that it has received of every neighbor, and after every
/// `local_steps` of its trainings it mixes with those, x_i <- w_ii x_i + sum_j w_ij (last of j)
/// - rate d(g_i(x_i)). Where all are equally fast and messages arrive in time it is d_psgd. Nodes
/// that train more often count for more; the paper's weights by how often make up for it. A row a
/// node and one for each neighbor; statistics of batch normalisation stay. Where a message is lost
/// the one before it stays.
template <weight_rule Weights = metropolis_hastings>
struct swift {
  std::uint64_t local_steps = 1;  ///< trainings of a node from one mixture to the next
  Weights rule{};

  static constexpr std::size_t rows = 1, edge_rows = 1;
  static constexpr row_name sum = exchange_row(0);
  struct node_state {
    std::uint64_t trained = 0;
  };

  void on_start(auto &plan) const {
    for (node i = 0; i < plan.nodes(); ++i)
      for (node const j : plan.topology().neighbors(i))
        plan.assign(plan.edge(i, j), {{1, model_row}});  // all begin with the same
    plan.train_all();
  }

  void on_trained(auto &plan, node i) const {
    auto const neighbors = plan.topology().neighbors(i);
    if (++plan.state(i).trained % local_steps == 0) {
      mixing_matrix const &w = plan.weights(0);
      plan.assign(i, sum, {{w.at(i, i), model_row}});
      for (node const j : neighbors) plan.add(i, sum, {{w.at(i, j), plan.edge(i, j)}});
      plan.assign(i, model_row, {{1, sum}});
    }
    plan.step(i);
    plan.send_to(i, {neighbors.begin(), neighbors.end()}, {{1, model_row}});
    plan.train(i);
  }

  void on_message(auto &plan, node i, auto const &m) const {
    plan.assign(plan.edge(i, m.from), {}, {{1, m}});
  }

  auto weights(graph const &g) const { return rule.weights(g); }
  static constexpr exchange_properties properties() { return {.tolerates_loss = true}; }
  void check(graph const &g) const { symmetric_weights("swift", g, rule); }

  static constexpr char const *name = "swift";
  static constexpr char const *meaning =
      "Bornstein et al. 2023: nodes mix with the last received models of neighbors, without "
      "waiting";
  static constexpr auto members() {
    return member_list{
        described("local_steps", &swift::local_steps,
                  "number of local steps of a node between two mixing steps", {.least = 1}),
        described("weights", &swift::rule, "mixing weights")};
  }
};

static_assert(exchange<swift<>>);

}  // namespace gossip
