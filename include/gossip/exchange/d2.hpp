// D2, also known as exact diffusion. H. Tang, X. Lian, M. Yan, C. Zhang, J. Liu, "D2: decentralized
// training over decentralized data", ICML 2018, Algorithm 1; K. Yuan, B. Ying, X. Zhao, A. H.
// Sayed, "Exact diffusion for distributed optimization and learning", IEEE Trans. Signal Processing
// 2019.
#pragma once

#include <cstddef>

#include <gossip/core/described.hpp>
#include <gossip/core/error.hpp>
#include <gossip/core/number_text.hpp>
#include <gossip/exchange/d_psgd.hpp>
#include <gossip/mixing/lazy_metropolis.hpp>
#include <gossip/mixing/spectrum.hpp>
#include <gossip/plan/exchange.hpp>
#include <gossip/plan/row_name.hpp>

namespace gossip {

/// h = x - rate d(g(x)), x+ = W (h + c), c+ = x+ - h with c = 0 at first: nodes with unlike data
/// agree on the common minimum at the messages of D-PSGD and one row a node. With plain SGD at a
/// constant rate it is x+ = W (2 x - x before - rate (g(x) - g(x before))); c holds what mixing has
/// moved, so that any optimizer and schedule fit. Needs a symmetric W of one matrix without
/// eigenvalues below -1/3: weights of exact diffusion, which are lazy, have none below 0.
template <weight_rule Weights = lazy_metropolis>
struct d2 {
  Weights rule{};

  static constexpr std::size_t rows = 1;
  static constexpr row_name correction = exchange_row(0);

  void on_round(auto &plan, round_number k) const {
    plan.train_all();
    plan.step_all();
    plan.assign_all(model_row, {{1, model_row}, {1, correction}});
    plan.assign_all(correction, {{1, model_row}, {-1, correction}});  // h again
    plan.mix_all(plan.weights(k));
    plan.assign_all(correction, {{1, model_row}, {-1, correction}});
  }
  static constexpr exchange_properties properties() { return {.gradient_waits = false}; }

  auto weights(graph const &g) const { return rule.weights(g); }
  void check(graph const &g) const {
    mixing_matrix const w = symmetric_weights("d2", g, rule);
    bool lazy = true;  // no eigenvalue is below 2 min w_ii - 1 (S. Gershgorin 1931)
    for (node i = 0; i < w.rows(); ++i) lazy &= w.at(i, i) >= 1.0 / 3;
    if (double const least = lazy ? 0 : smallest_eigenvalue(w); least < -1.0 / 3 - 1e-6)
      throw input_error("d2", "weights without eigenvalues below -1/3, such as lazy_metropolis",
                        "an eigenvalue of " + detail::rounded_text(least));
  }

  static constexpr char const *name = "d2";
  static constexpr char const *meaning =
      "Tang et al. 2018: D-PSGD with a correction for heterogeneous data";
  static constexpr auto members() {
    return member_list{described("weights", &d2::rule, "mixing weights")};
  }
};

static_assert(exchange<d2<>>);

}  // namespace gossip
