// K-GT, gradient tracking with local steps. Y. Liu, T. Lin, A. Koloskova, S. U. Stich,
// "Decentralized gradient tracking with local steps", arXiv 2301.01313 (2023), Algorithm 1.
#pragma once

#include <cstddef>
#include <cstdint>

#include <gossip/core/described.hpp>
#include <gossip/exchange/d_psgd.hpp>
#include <gossip/mixing/matrix.hpp>
#include <gossip/mixing/metropolis_hastings.hpp>
#include <gossip/plan/exchange.hpp>
#include <gossip/plan/row_name.hpp>

namespace gossip {

/// From x, K = `local_steps` steps y <- y - rate (g(y) + c); then with the mean step
/// z = (x - y) / (K rate): c <- c - z + W z, x <- W (x - scale (x - y)), with c = 0 at first.
/// Corrections add up to 0 over the network and lead to the common minimum. One local step at a
/// scale of 1 is gradient_tracking that adapts, then combines. For plain sgd at a rate that stays
/// within K rounds; two messages every K rounds and three rows a node.
template <weight_rule Weights = metropolis_hastings>
struct k_gt {
  std::uint64_t local_steps = 4;  ///< rounds from one mixture to the next
  double scale = 1.0;             ///< of the step that is mixed
  Weights rule{};

  static constexpr std::size_t rows = 3;
  static constexpr row_name start = exchange_row(0), correction = exchange_row(1),
                            direction = exchange_row(2);  // of a step, then the mean one

  void on_round(auto &plan, round_number k) const {
    if (k % local_steps == 0) plan.assign_all(start, {{1, model_row}});
    plan.train_all({.into = direction});
    plan.assign_all(direction, {{1, direction}, {1, correction}});
    plan.step_all({.gradient = direction});
    if ((k + 1) % local_steps != 0) return;
    double const rate = plan.rate() * static_cast<double>(local_steps);
    double const share = rate > 0 ? 1 / rate : 0;
    plan.assign_all(direction, {{share, start}, {-share, model_row}});
    plan.assign_all(model_row, {{1 - scale, start}, {scale, model_row}});
    mixing_matrix const &w = plan.weights(k / local_steps);
    plan.mix_all(w);
    plan.assign_all(correction, {{1, correction}, {-1, direction}});
    plan.mix_all(direction, w);
    plan.assign_all(correction, {{1, correction}, {1, direction}});
  }
  constexpr exchange_properties properties() const {
    return {.gradient_waits = false, .rounds = {.period = local_steps, .act = "mixture"}};
  }

  auto weights(graph const &g) const { return rule.weights(g); }
  void check(graph const &g) const { check_weights("k_gt", g, rule); }

  static constexpr char const *name = "k_gt";
  static constexpr char const *meaning =
      "Liu et al. 2023: gradient tracking with local steps between mixing steps";
  static constexpr auto members() {
    return member_list{
        described("local_steps", &k_gt::local_steps,
                  "number of local steps between two mixing steps", {.least = 1}),
        described("scale", &k_gt::scale, "factor on the step that nodes mix", {.most = 1e6}),
        described("weights", &k_gt::rule, "mixing weights")};
  }
};

static_assert(exchange<k_gt<>>);

}  // namespace gossip
