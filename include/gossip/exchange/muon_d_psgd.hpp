// Muon over D-PSGD. K. Jordan et al., "Muon: an optimizer for hidden layers in neural networks",
// 2024; X. Lian et al., NeurIPS 2017, Algorithm 1.
#pragma once

#include <cstddef>

#include <gossip/core/described.hpp>
#include <gossip/exchange/d_psgd.hpp>
#include <gossip/mixing/metropolis_hastings.hpp>
#include <gossip/op/orthogonalise.hpp>
#include <gossip/plan/exchange.hpp>
#include <gossip/plan/row_name.hpp>

namespace gossip {

/// m <- momentum m + g, d = g + momentum m with nesterov, else m; a node steps by d with every
/// matrix (dense layers, kernels of convolutions as (filters, inputs)) made orthogonal, then models
/// are mixed. Vectors (biases, scales) step by d as it is: a deviation, their authors give them to
/// Adam. For plain sgd, whose rate is Muon's. Four rows a node, of which two are scratch.
template <weight_rule Weights = metropolis_hastings>
struct muon_d_psgd {
  double momentum = 0.95;
  bool nesterov = true;
  std::size_t steps = 5;  ///< of Newton and Schulz
  Weights rule{};

  static constexpr std::size_t rows = 4;

  void on_round(auto &plan, round_number k) const {
    plan.train_all({.into = direction});
    plan.assign_all(average, {{momentum, average}, {1, direction}});
    if (nesterov)
      plan.assign_all(direction, {{1, direction}, {momentum, average}});
    else
      plan.assign_all(direction, {{1, average}});
    double const count = static_cast<double>(steps);
    for (node i = 0; i < plan.nodes(); ++i)
      plan.apply(op::orthogonalise{}, i, {direction, scratch, more_scratch},
                 {count, 3.4445, -4.7750, 2.0315});
    plan.step_all({.gradient = direction});
    plan.mix_all(plan.weights(k));
  }
  static constexpr exchange_properties properties() { return {.gradient_waits = false}; }

  auto weights(graph const &g) const { return rule.weights(g); }
  void check(graph const &g) const { check_weights("muon_d_psgd", g, rule); }

  static constexpr char const *name = "muon_d_psgd";
  static constexpr char const *meaning =
      "Jordan et al. 2024: D-PSGD with Muon, whose steps are orthogonalized momenta";
  static constexpr auto members() {
    return member_list{described("momentum", &muon_d_psgd::momentum, "momentum of gradients",
                                 {.most = 1, .below_most = true}),
                       described("nesterov", &muon_d_psgd::nesterov, "Nesterov's momentum"),
                       described("steps", &muon_d_psgd::steps, "number of Newton-Schulz iterations",
                                 {.least = 1, .most = 100}),
                       described("weights", &muon_d_psgd::rule, "mixing weights")};
  }

 private:
  static constexpr row_name average = exchange_row(0), direction = exchange_row(1),
                            scratch = exchange_row(2), more_scratch = exchange_row(3);
};

static_assert(exchange<muon_d_psgd<>>);

}  // namespace gossip
