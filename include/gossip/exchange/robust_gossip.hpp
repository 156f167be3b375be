// Gossip by an aggregation rule, among nodes of whom some attack. L. He, S. P. Karimireddy,
// M. Jaggi, "Byzantine-robust decentralized learning via self-centered clipping", arXiv 2202.01545
// (2022), the setting of section 2.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <gossip/aggregation/aggregation.hpp>
#include <gossip/aggregation/coordinate_median.hpp>
#include <gossip/attack/attack.hpp>
#include <gossip/attack/none.hpp>
#include <gossip/core/by_round.hpp>
#include <gossip/core/described.hpp>
#include <gossip/core/error.hpp>
#include <gossip/core/node.hpp>
#include <gossip/exchange/d_psgd.hpp>
#include <gossip/mixing/matrix.hpp>
#include <gossip/mixing/metropolis_hastings.hpp>
#include <gossip/op/column.hpp>
#include <gossip/plan/exchange.hpp>
#include <gossip/plan/row_name.hpp>

namespace gossip {

/// Every node steps; the models of the last `attackers` nodes become what an attack makes of them;
/// then every node takes what a rule makes of its own model and its neighbors'. Where an attack may
/// send each receiver another model, those of the attackers stay, and receivers find theirs in a
/// row. Attackers know all models at no cost, follow the rule as others do, by models as they are,
/// and are among the nodes that observers look at; their losses and models may be infinite, and the
/// run goes on.
/// By aggregation::weighted_mean without attackers it is D-PSGD that adapts, then combines. With an
/// attack that may send each receiver another model nodes have a row more.
template <aggregation_rule Rule = aggregation::coordinate_median,
          attack_model Attack = attack::none, weight_rule Weights = metropolis_hastings>
struct robust_gossip {
  Rule rule{};
  Attack attack{};
  std::uint32_t attackers = 0;
  Weights weighting{};

  static constexpr std::size_t rows =
      std::max<std::size_t>(Rule::rows, Attack::rows) + forging_attack<Attack>;

  void on_round(auto &plan, round_number k) const {
    plan.train_all();
    plan.step_all();
    received_models from;
    if (attackers > 0) {
      std::vector<node> honest, others;
      for (node i = 0; i < plan.nodes(); ++i)
        (i + attackers < plan.nodes() ? honest : others).push_back(i);
      plan.at_no_cost([&] { attack.disturb(plan, others, honest); });
      if constexpr (forging_attack<Attack>)
        if (attack.forges()) from = forged_models(plan, others, honest, plan.weights(k));
    }
    aggregation::aggregate_by(rule, plan, plan.weights(k), from);
  }
  constexpr exchange_properties properties() const {
    return {.gradient_waits = false, .attackers = attackers};
  }

  auto weights(graph const &g) const { return weighting.weights(g); }
  void check(graph const &g) const {
    by_round<mixing_matrix> const weights = check_weights("robust_gossip", g, weighting);
    rule.check(g);
    aggregation::check_neighborhoods(rule, weights);
    if constexpr (forging_attack<Attack>)
      if (attackers > 0 && attack.forges() && !aggregation::reads_each(rule))
        throw input_error("robust_gossip: rule",
                          "a rule that reads models separately, since attackers send each receiver "
                          "a different model: weighted_mean, krum, geometric_median, "
                          "centered_clipping or self_centered_clipping",
                          "a rule that reads all models at once");
    if (2 * std::size_t{attackers} >= g.nodes() && attackers > 0)
      throw input_error("robust_gossip: attackers",
                        "fewer than half of " + std::to_string(g.nodes()) + " nodes",
                        std::to_string(attackers));
    attack::check_attack(attack, attackers, g.nodes() - attackers);
  }
  std::vector<std::string> remarks(graph const &g) const {
    return attack::remarks_on_attack(attack, attackers, g.nodes() - attackers);
  }

  static constexpr char const *name = "robust_gossip";
  static constexpr char const *meaning =
      "He et al. 2022: D-PSGD with a robust aggregation rule, against Byzantine nodes";
  static constexpr auto members() {
    return member_list{
        described("rule", &robust_gossip::rule, "aggregation rule"),
        described("attack", &robust_gossip::attack, "attack: the models that attackers send"),
        described("attackers", &robust_gossip::attackers,
                  "number of attackers, the highest-numbered nodes"),
        described("weights", &robust_gossip::weighting, "mixing weights")};
  }

 private:
  /// Messages of attackers cost what their models would: a share of 0 of each is read.
  received_models forged_models(auto &plan, std::vector<node> const &others,
                                std::vector<node> const &honest, mixing_matrix const &w) const {
    constexpr row_name forged = exchange_row(rows - 1);
    plan.at_no_cost([&] { attack.forge(plan, others, honest, w, forged); });
    received_models const from(plan.nodes(), others, forged);
    for (node const i : honest)
      for (node const j : w.row(i).columns)
        if (from.forged(i, j)) plan.apply(op::add_chosen{}, i, {forged}, j, model_row, {0.0});
    return from;
  }
};

static_assert(exchange<robust_gossip<>>);

}  // namespace gossip
