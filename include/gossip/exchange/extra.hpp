// EXTRA. W. Shi, Q. Ling, G. Wu, W. Yin, "EXTRA: an exact first-order algorithm for decentralized
// consensus optimization", SIAM Journal on Optimization 25 (2015), Algorithm 1 with (W + I) / 2 as
// the second matrix.
#pragma once

#include <cstddef>

#include <gossip/core/described.hpp>
#include <gossip/exchange/d_psgd.hpp>
#include <gossip/mixing/metropolis_hastings.hpp>
#include <gossip/plan/exchange.hpp>
#include <gossip/plan/row_name.hpp>

namespace gossip {

/// x+ = W x + q - rate d(g(x)), q+ = q + (W x - x) / 2 with q = 0 at first: D-PSGD that combines,
/// then adapts, and q, the sum of half of what mixing has ever moved, leads to the common minimum.
/// With plain SGD at a constant rate it is the paper's
/// x++ = (I + W) x+ - (I + W) / 2 x - rate (g(x+) - g(x)). The messages of D-PSGD and two rows a
/// node; a symmetric W of one matrix.
template <weight_rule Weights = metropolis_hastings>
struct extra {
  Weights rule{};

  static constexpr std::size_t rows = 2;
  static constexpr row_name correction = exchange_row(0), moved = exchange_row(1);

  void on_round(auto &plan, round_number k) const {
    plan.train_all();
    plan.assign_all(moved, {{1, model_row}});
    plan.mix_all(plan.weights(k));
    plan.assign_all(moved, {{1, model_row}, {-1, moved}});
    plan.assign_all(model_row, {{1, model_row}, {1, correction}});
    plan.assign_all(correction, {{1, correction}, {0.5, moved}});
    plan.step_all();
  }

  auto weights(graph const &g) const { return rule.weights(g); }
  void check(graph const &g) const { symmetric_weights("extra", g, rule); }

  static constexpr char const *name = "extra";
  static constexpr char const *meaning =
      "Shi et al. 2015: D-PSGD with a sum of corrections for heterogeneous data";
  static constexpr auto members() {
    return member_list{described("weights", &extra::rule, "mixing weights")};
  }
};

static_assert(exchange<extra<>>);

}  // namespace gossip
