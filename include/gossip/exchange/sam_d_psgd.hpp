// Sharpness-aware minimization over D-PSGD. P. Foret, A. Kleiner, H. Mobahi, B. Neyshabur,
// "Sharpness-aware minimization for efficiently improving generalization", ICLR 2021, Algorithm 1;
// over gossip as Y. Shi et al., "Improving the model consistency of decentralized federated
// learning", ICML 2023.
#pragma once

#include <cstddef>

#include <gossip/core/described.hpp>
#include <gossip/exchange/d_psgd.hpp>
#include <gossip/mixing/metropolis_hastings.hpp>
#include <gossip/op/column.hpp>
#include <gossip/op/row_reduction.hpp>
#include <gossip/op/scalar.hpp>
#include <gossip/plan/exchange.hpp>
#include <gossip/plan/planned_rows.hpp>
#include <gossip/plan/row_name.hpp>
#include <gossip/plan/scalar_handle.hpp>

namespace gossip {

/// A node takes its gradient g at x, then another on the same batch at x + radius g / |g|, which it
/// steps by; then models are mixed. The losses recorded are those at x. Two trainings an iteration
/// and one row a node; a radius of 0 is D-PSGD that adapts, then combines.
template <weight_rule Weights = metropolis_hastings>
struct sam_d_psgd {
  double radius = 0.05;
  Weights rule{};

  static constexpr std::size_t rows = 1;
  static constexpr row_name ahead = exchange_row(0);  // the gradient, then the point ahead

  void on_round(auto &plan, round_number k) const {
    plan.train_all({.into = ahead});
    for (node i = 0; i < plan.nodes(); ++i) {
      scalar const square = plan.reduce(op::squared_norm{}, i, {ahead});
      scalar const factor = plan.compute(op::length_factor{}, i, {square}, {radius});
      plan.apply(op::linear<2>{}, i, {ahead, model_row, ahead}, {1, factor});
      plan.train(i, {.at = ahead, .batch = batch_choice::again, .counts = false});
      plan.step(i);
    }
    plan.mix_all(plan.weights(k));
  }
  static constexpr exchange_properties properties() { return {.gradient_waits = false}; }

  auto weights(graph const &g) const { return rule.weights(g); }
  void check(graph const &g) const { check_weights("sam_d_psgd", g, rule); }

  static constexpr char const *name = "sam_d_psgd";
  static constexpr char const *meaning =
      "Foret et al. 2021: D-PSGD with sharpness-aware minimization, two gradients per step";
  static constexpr auto members() {
    return member_list{described("radius", &sam_d_psgd::radius,
                                 "radius rho: distance to the point of the second gradient"),
                       described("weights", &sam_d_psgd::rule, "mixing weights")};
  }
};

static_assert(exchange<sam_d_psgd<>>);

}  // namespace gossip
