// Quasi-global momentum, QG-DSGDm and QG-DSGDm-N. T. Lin, S. P. Karimireddy, S. U. Stich, M. Jaggi,
// "Quasi-global momentum: accelerating decentralized deep learning on heterogeneous data", ICML
// 2021, Algorithm 1.
#pragma once

#include <cstddef>

#include <gossip/core/described.hpp>
#include <gossip/exchange/d_psgd.hpp>
#include <gossip/mixing/metropolis_hastings.hpp>
#include <gossip/plan/exchange.hpp>
#include <gossip/plan/row_name.hpp>

namespace gossip {

/// u = momentum m + g(x), x+ = W (x - rate u), m <- decay m + (1 - decay) (x - x+) / rate: momentum
/// of what nodes have moved, mixing included, does not move the fixed point of D-PSGD. Nesterov's
/// form steps by g + momentum u, whose fixed point is that at a rate 1 + momentum times as large.
/// For plain sgd, whose weight decay counts once in either form. Where the rate is 0, m stays. The
/// messages of D-PSGD and two rows a node.
template <weight_rule Weights = metropolis_hastings>
struct quasi_global_momentum {
  double momentum = 0.9;
  double decay = 0.9;  ///< of m in a round
  bool nesterov = false;
  Weights rule{};

  static constexpr std::size_t rows = 2;
  static constexpr row_name moved = exchange_row(0), direction = exchange_row(1);  // m, u

  void on_round(auto &plan, round_number k) const {
    double const rate = plan.rate(), share = rate > 0 ? (1 - decay) / rate : 0;
    double const own = nesterov ? 1 + momentum : 1,
                 held = nesterov ? momentum * momentum : momentum;
    plan.train_all({.into = direction});
    plan.assign_all(direction, {{own, direction}, {held, moved}});
    plan.assign_all(moved, {{rate > 0 ? decay : 1, moved}, {share, model_row}});
    plan.step_all({.gradient = direction});
    plan.mix_all(plan.weights(k));
    plan.assign_all(moved, {{1, moved}, {-share, model_row}});
  }
  static constexpr exchange_properties properties() { return {.gradient_waits = false}; }

  auto weights(graph const &g) const { return rule.weights(g); }
  void check(graph const &g) const { check_weights("quasi_global_momentum", g, rule); }

  static constexpr char const *name = "quasi_global_momentum";
  static constexpr char const *meaning =
      "Lin et al. 2021: D-PSGD with momentum of the nodes' moves, mixing included";
  static constexpr auto members() {
    return member_list{
        described("momentum", &quasi_global_momentum::momentum, "momentum",
                  {.most = 1, .below_most = true}),
        described("decay", &quasi_global_momentum::decay,
                  "decay rate of the average of moves, per round", {.most = 1, .below_most = true}),
        described("nesterov", &quasi_global_momentum::nesterov, "Nesterov's momentum"),
        described("weights", &quasi_global_momentum::rule, "mixing weights")};
  }
};

static_assert(exchange<quasi_global_momentum<>>);

}  // namespace gossip
