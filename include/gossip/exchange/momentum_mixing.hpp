// D-PSGD whose momentum is mixed as well. H. Yu, R. Jin, S. Yang, "On the linear speedup analysis
// of communication efficient momentum SGD for distributed non-convex optimization", ICML 2019.
#pragma once

#include <cstddef>

#include <gossip/core/described.hpp>
#include <gossip/exchange/d_psgd.hpp>
#include <gossip/mixing/metropolis_hastings.hpp>
#include <gossip/plan/exchange.hpp>
#include <gossip/plan/row_name.hpp>

namespace gossip {

/// v = momentum u + g(x), x <- W (x - rate v), u <- W v. Needs an optimizer whose first row is its
/// momentum, such as sgd with one. Twice the messages of D-PSGD.
template <weight_rule Weights = metropolis_hastings>
struct momentum_mixing {
  Weights rule{};

  static constexpr std::size_t rows = 0;  // beside the optimizer's

  void on_round(auto &plan, round_number k) const {
    plan.train_all();
    plan.step_all();
    plan.mix_all(plan.weights(k));
    plan.mix_all(optimizer_row(0), plan.weights(k));
  }
  static constexpr exchange_properties properties() { return {.gradient_waits = false}; }

  auto weights(graph const &g) const { return rule.weights(g); }
  void check(graph const &g) const { check_weights("momentum_mixing", g, rule); }

  static constexpr char const *name = "momentum_mixing";
  static constexpr char const *meaning =
      "Yu et al. 2019: D-PSGD in which nodes average momenta too";
  static constexpr auto members() {
    return member_list{described("weights", &momentum_mixing::rule, "mixing weights")};
  }
};

static_assert(exchange<momentum_mixing<>>);

}  // namespace gossip
