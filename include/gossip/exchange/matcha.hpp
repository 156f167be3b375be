// MATCHA. J. Wang, A. K. Sahu, G. Joshi, S. Kar, "MATCHA: a matching-based link sampling strategy
// to speed up distributed optimization", IEEE Transactions on Signal Processing 70 (2022).
#pragma once

#include <sstream>
#include <string>
#include <vector>

#include <gossip/core/described.hpp>
#include <gossip/graph/graph.hpp>
#include <gossip/mixing/active_matchings.hpp>
#include <gossip/plan/exchange.hpp>

namespace gossip {

/// D-PSGD that adapts, then combines by W = I - alpha sum_j L_j of the matchings of the graph that
/// are at work in this round: matching j with probability p_j, whatever others do. The p_j add up
/// to the budget times their number and connect the expected graph best; alpha agrees fastest
/// (mixing/active_matchings.hpp), also where it weighs a node's own model below 0 in some rounds.
/// With a budget of 1 all edges are always at work.
struct matcha {
  double budget = 0.5;         ///< of communication, in that of all edges
  bool keep_positive = false;  ///< alpha at most 1 / greatest degree: no weight is negative

  void on_round(auto &plan, round_number) const {
    plan.train_all();
    plan.step_all();
    active_matchings const &drawn = plan.prepared();
    std::vector<bool> at_work;
    for (double const p : drawn.probability) at_work.push_back(plan.chance(0, p));
    plan.mix_all(drawn.weights(plan.topology(), at_work));
  }
  static constexpr exchange_properties properties() {
    return {.gradient_waits = false, .when_network_changes = network_changes::refused};
  }
  active_matchings prepare(graph const &g) const { return matchings_for(g, budget, keep_positive); }
  void check(graph const &g) const { check_budget(g, budget); }
  std::vector<std::string> remarks(graph const &g) const {
    active_matchings const found = prepare(g);
    std::ostringstream sentence;
    sentence.precision(4);
    sentence << "matcha: alpha is " << found.share << ", rho " << found.rho
             << ", and the connectivity of the expected graph " << found.connectivity << ", with "
             << found.matchings.size() << " matchings";
    return {sentence.str()};
  }

  static constexpr char const *name = "matcha";
  static constexpr char const *meaning =
      "Wang et al. 2022: D-PSGD over a random set of matchings of the graph in every round";
  static constexpr auto members() {
    return member_list{
        described("budget", &matcha::budget,
                  "communication budget: fraction of the matchings that are active in a round, on "
                  "average",
                  {.least = 0, .most = 1, .above_least = true}),
        described("keep_positive", &matcha::keep_positive,
                  "limit alpha to 1 / (largest degree), so that no weight is negative")};
  }
};

static_assert(exchange<matcha>);

}  // namespace gossip
