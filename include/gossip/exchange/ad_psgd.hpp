// AD-PSGD. X. Lian, W. Zhang, C. Zhang, J. Liu, "Asynchronous decentralized parallel stochastic
// gradient descent", ICML 2018, Algorithm 1.
#pragma once

#include <gossip/core/described.hpp>
#include <gossip/core/error.hpp>
#include <gossip/graph/graph.hpp>
#include <gossip/plan/exchange.hpp>

namespace gossip {

/// A node that has finished a gradient averages its model with that of one random neighbour, then
/// applies the gradient, which was taken at the model from before the averages since. Where a
/// message is lost it goes on without the average.
struct ad_psgd {
  void on_trained(auto &plan, node i) const {
    if (plan.has_neighbor(i)) plan.average(i, plan.random_neighbor(i));
    plan.step(i);
    plan.train(i);
  }

  static constexpr exchange_properties properties() { return {.tolerates_loss = true}; }
  static void check(graph const &g) {
    if (g.directed()) throw input_error("ad_psgd", "an undirected topology", "a directed topology");
  }

  static constexpr char const *name = "ad_psgd";
  static constexpr char const *meaning =
      "Lian et al. 2018: each node, asynchronously, averages its model with one random neighbor";
  static constexpr auto members() { return member_list{}; }
};

static_assert(exchange<ad_psgd>);

}  // namespace gossip
