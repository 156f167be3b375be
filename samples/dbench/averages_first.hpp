// D-PSGD, adapt then combine, in rounds that end between the two: whoever looks at the end of a
// round sees the models after each node's own step and before their averaging, as DBench does.
#pragma once

#include <cstddef>
#include <cstdint>

#include <gossip/core/node.hpp>
#include <gossip/graph/graph.hpp>
#include <gossip/mixing/metropolis_hastings.hpp>
#include <gossip/plan/exchange.hpp>
#include <gossip/plan/row_name.hpp>

namespace dbench {

// quote averages_first
/// x <- W x; x <- x - rate d(g(x)). With momentum the rows of momentum are averaged as well, which
/// on a complete graph equals averaging gradients: all nodes then step from one model and one
/// momentum.
struct averages_first {
  bool momentum = false;
  static constexpr std::size_t rows = 0;  // beside the optimizer's

  void on_round(auto &plan, gossip::round_number k) const {
    if (k > 0) plan.mix_all(plan.weights(k - 1));
    if (k > 0 && momentum) plan.mix_all(gossip::optimizer_row(0), plan.weights(k - 1));
    plan.train_all();
    plan.step_all();
  }
  static constexpr gossip::exchange_properties properties() { return {.gradient_waits = false}; }

  auto weights(gossip::graph const &g) const { return gossip::metropolis_hastings{}.weights(g); }
};
// end quote

static_assert(gossip::exchange<averages_first>);

/// A graph that has been built.
struct known_graph {
  gossip::graph network;
  gossip::graph build(std::uint64_t) const { return network; }
};

}  // namespace dbench
