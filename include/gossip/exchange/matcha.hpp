// MATCHA. J. Wang, A. K. Sahu, G. Joshi, S. Kar, "MATCHA: a matching-based link sampling strategy
// to speed up distributed optimization", IEEE Transactions on Signal Processing 70 (2022).
#pragma once

#include <cstddef>
#include <vector>

#include <gossip/core/described.hpp>
#include <gossip/graph/graph.hpp>
#include <gossip/mixing/active_matchings.hpp>
#include <gossip/plan/exchange.hpp>

namespace gossip {

/// D-PSGD that adapts, then combines by W = I - alpha sum_j L_j of the matchings of the graph that
/// are at work in this round: matching j with probability p_j, whatever others do. The p_j add up
/// to the budget times their number and make the expected graph well connected; alpha agrees
/// fastest (mixing/active_matchings.hpp). With a budget of 1 all edges are always at work.
struct matcha {
  double budget = 0.5;  ///< of communication, in that of all edges

  void on_round(auto &plan, round_number) const {
    plan.train_all();
    plan.step_all();
    active_matchings const &drawn = plan.prepared();
    std::vector<bool> at_work;
    for (double const p : drawn.probability) at_work.push_back(plan.chance(0, p));
    plan.mix_all(drawn.weights(plan.topology(), at_work));
  }
  static constexpr exchange_properties properties() { return {.gradient_waits = false}; }
  active_matchings prepare(graph const &g) const { return matchings_for(g, budget); }
  void check(graph const &g) const { check_budget(g, budget); }

  static constexpr char const *name = "matcha";
  static constexpr char const *meaning =
      "Wang et al. 2022: in a round some matchings of the graph average";
  static constexpr auto members() {
    return member_list{described("budget", &matcha::budget,
                                 "of communication, in that of all edges",
                                 {.least = 0, .most = 1, .above_least = true})};
  }
};

static_assert(exchange<matcha>);

}  // namespace gossip
