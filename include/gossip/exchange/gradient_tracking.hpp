// Gradient tracking. A. Nedic, A. Olshevsky, W. Shi, "Achieving geometric convergence for
// distributed optimization over time-varying graphs", SIAM J. Optim. 27 (2017): DIGing; adapt then
// combine as P. Di Lorenzo, G. Scutari, "NEXT", IEEE TSIPN 2 (2016).
#pragma once

#include <cstddef>

#include <gossip/core/described.hpp>
#include <gossip/exchange/d_psgd.hpp>
#include <gossip/mixing/metropolis_hastings.hpp>
#include <gossip/plan/exchange.hpp>
#include <gossip/plan/row_name.hpp>

namespace gossip {

/// A row y follows the mean gradient of the network, y <- W y + g(x) - g(x before), and the
/// optimizer takes it for the gradient: nodes with unlike data agree on the common minimum.
/// combine_then_adapt: x <- W x - rate d(y); adapt_then_combine: x <- W (x - rate d(y)).
/// Twice the messages of D-PSGD, and three rows a node.
template <weight_rule Weights = metropolis_hastings>
struct gradient_tracking {
  mixing_order order = mixing_order::combine_then_adapt;
  Weights rule{};

  static constexpr std::size_t rows = 3;
  static constexpr row_name tracker = exchange_row(0), gradient = exchange_row(1),
                            before = exchange_row(2);

  void on_round(auto &plan, round_number k) const {
    plan.train_all({.into = gradient});
    plan.assign_all(tracker, {{1, tracker}, {1, gradient}, {-1, before}});
    plan.assign_all(before, {{1, gradient}});
    if (order == mixing_order::adapt_then_combine) plan.step_all({.gradient = tracker});
    plan.mix_all(plan.weights(k));
    if (order == mixing_order::combine_then_adapt) plan.step_all({.gradient = tracker});
    plan.mix_all(tracker, plan.weights(k));
  }
  static constexpr exchange_properties properties() { return {.gradient_waits = false}; }

  auto weights(graph const &g) const { return rule.weights(g); }
  void check(graph const &g) const { check_weights("gradient_tracking", g, rule); }

  static constexpr char const *name = "gradient_tracking";
  static constexpr char const *meaning =
      "Nedic et al. 2017: each node tracks the mean gradient; twice the bytes of d_psgd";
  static constexpr auto members() {
    return member_list{
        described("order", &gradient_tracking::order,
                  "order of a round: mix models, then apply the gradient, or the reverse"),
        described("weights", &gradient_tracking::rule, "mixing weights")};
  }
};

static_assert(exchange<gradient_tracking<>>);

}  // namespace gossip
