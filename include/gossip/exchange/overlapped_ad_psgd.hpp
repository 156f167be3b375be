// AD-PSGD with a thread that communicates beside the one that computes. X. Lian, W. Zhang, C.
// Zhang, J. Liu, "Asynchronous decentralized parallel stochastic gradient descent", ICML 2018.
#pragma once

#include <array>
#include <vector>

#include <gossip/core/described.hpp>
#include <gossip/exchange/ad_psgd.hpp>
#include <gossip/graph/bipartition.hpp>
#include <gossip/plan/completion.hpp>
#include <gossip/plan/exchange.hpp>

namespace gossip {

/// The nodes that ask a neighbour for an average with every gradient: all, or those of one side of
/// a bipartite graph, which node 0 is not on, while the others answer.
enum class askers { every_node, one_side };

template <>
struct value_names<askers> {
  static constexpr std::array<char const *, 2> names{"every_node", "one_side"};
};

/// ad_psgd whose averages are under way while gradients are computed: a node that begins to train
/// averages its model with that of one random neighbour, and applies the gradient when both are
/// done. The gradient is taken at the model from before that average. An iteration takes the longer
/// of training and exchange, not their sum.
struct overlapped_ad_psgd : ad_psgd {
  askers asked_by = askers::every_node;

  struct node_state {
    completion averaged{};  ///< the end of the average that was begun last
    bool asks = true;
  };

  void on_start(auto &plan) const {
    if (asked_by == askers::one_side) {
      std::vector<bool> const asks = odd_side(name, plan.topology());
      for (node i = 0; i < plan.nodes(); ++i) plan.state(i).asks = asks[i];
    }
    for (node i = 0; i < plan.nodes(); ++i) begin(plan, i);
  }

  void on_trained(auto &plan, node i) const {
    plan.wait_until(i, plan.state(i).averaged);
    plan.step(i);
    begin(plan, i);
  }

  void check(graph const &g) const {
    ad_psgd::check(g);
    if (asked_by == askers::one_side) odd_side(name, g);
  }

  static constexpr char const *name = "overlapped_ad_psgd";
  static constexpr char const *meaning =
      "Lian et al. 2018: ad_psgd with averages that overlap with training";
  static constexpr auto members() {
    return member_list{described("askers", &overlapped_ad_psgd::asked_by,
                                 "nodes that ask neighbors for averages: every node, or one side "
                                 "of a bipartite graph as in gossip-live")};
  }

 private:
  static void begin(auto &plan, node i) {
    if (plan.trains_no_more()) return;
    plan.train(i);
    auto &[last, asks] = plan.state(i);
    if (asks && plan.has_neighbor(i)) last = plan.average_beside(i, plan.random_neighbor(i), last);
  }
};

static_assert(exchange<overlapped_ad_psgd>);

}  // namespace gossip
