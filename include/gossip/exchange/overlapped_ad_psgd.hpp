// AD-PSGD with a thread that communicates beside the one that computes. X. Lian, W. Zhang, C.
// Zhang, J. Liu, "Asynchronous decentralized parallel stochastic gradient descent", ICML 2018.
#pragma once

#include <gossip/core/described.hpp>
#include <gossip/exchange/ad_psgd.hpp>
#include <gossip/plan/completion.hpp>
#include <gossip/plan/exchange.hpp>

namespace gossip {

/// ad_psgd whose averages are under way while gradients are computed: a node that begins to train
/// averages its model with that of one random neighbour, and applies the gradient when both are
/// done. The gradient is taken at the model from before that average. An iteration takes the longer
/// of training and exchange, not their sum.
struct overlapped_ad_psgd : ad_psgd {
  struct node_state {
    completion averaged{};  ///< the end of the average that was begun last
  };

  void on_start(auto &plan) const {
    for (node i = 0; i < plan.nodes(); ++i) begin(plan, i);
  }

  void on_trained(auto &plan, node i) const {
    plan.wait_until(i, plan.state(i).averaged);
    plan.step(i);
    begin(plan, i);
  }

  static constexpr char const *name = "overlapped_ad_psgd";
  static constexpr char const *meaning =
      "Lian et al. 2018: ad_psgd whose averages are under way while nodes train";

 private:
  static void begin(auto &plan, node i) {
    if (plan.trains_no_more()) return;
    plan.train(i);
    completion &last = plan.state(i).averaged;
    if (plan.has_neighbor(i)) last = plan.average_beside(i, plan.random_neighbor(i), last);
  }
};

static_assert(exchange<overlapped_ad_psgd>);

}  // namespace gossip
