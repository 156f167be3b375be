// DecentLaM. K. Yuan, Y. Chen, X. Huang, Y. Zhang, P. Pan, Y. Xu, W. Yin, "DecentLaM: decentralized
// momentum SGD for large-batch deep training", ICCV 2021, Algorithm 2.
#pragma once

#include <cstddef>

#include <gossip/core/described.hpp>
#include <gossip/exchange/d_psgd.hpp>
#include <gossip/mixing/metropolis_hastings.hpp>
#include <gossip/plan/exchange.hpp>
#include <gossip/plan/row_name.hpp>

namespace gossip {

/// With z = W (x - rate g(x)), a step of D-PSGD that adapts, then combines: the gradient of a node
/// is (x - z) / rate, m <- momentum m + (x - z) / rate, x <- x - rate m. Momentum then speeds up
/// D-PSGD without moving its fixed point. For plain sgd; weight decay is its own. Where the rate is
/// 0, m stays. The messages of D-PSGD and two rows a node.
template <weight_rule Weights = metropolis_hastings>
struct decent_lam {
  double momentum = 0.9;
  Weights rule{};

  static constexpr std::size_t rows = 2;
  static constexpr row_name before = exchange_row(0), moved = exchange_row(1);  // m

  void on_round(auto &plan, round_number k) const {
    double const rate = plan.rate();
    plan.assign_all(before, {{1, model_row}});
    plan.train_all();
    plan.step_all();
    plan.mix_all(plan.weights(k));
    plan.assign_all(model_row, {{1, model_row}, {-rate * momentum, moved}});
    if (rate > 0) plan.assign_all(moved, {{1 / rate, before}, {-1 / rate, model_row}});
  }
  static constexpr exchange_properties properties() { return {.gradient_waits = false}; }

  auto weights(graph const &g) const { return rule.weights(g); }
  void check(graph const &g) const { symmetric_weights("decent_lam", g, rule); }

  static constexpr char const *name = "decent_lam";
  static constexpr char const *meaning =
      "Yuan et al. 2021: D-PSGD with momentum that adds no bias to its fixed point";
  static constexpr auto members() {
    return member_list{
        described("momentum", &decent_lam::momentum, "momentum", {.most = 1, .below_most = true}),
        described("weights", &decent_lam::rule, "mixing weights")};
  }
};

static_assert(exchange<decent_lam<>>);

}  // namespace gossip
