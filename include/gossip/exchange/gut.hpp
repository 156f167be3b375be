// Global update tracking. S. A. Aketi, A. Hashemi, K. Roy, "Global update tracking: a decentralized
// learning algorithm for heterogeneous data", NeurIPS 2023.
#pragma once

#include <cstddef>

#include <gossip/core/described.hpp>
#include <gossip/exchange/d_psgd.hpp>
#include <gossip/mixing/matrix.hpp>
#include <gossip/mixing/metropolis_hastings.hpp>
#include <gossip/plan/exchange.hpp>
#include <gossip/plan/row_name.hpp>

namespace gossip {

/// The update d = g - (W x - x) / rate of D-PSGD is tracked by messages of models alone:
/// y = d + tracking (W y' - g'), x <- x - rate y, where a prime is the round before; that is
/// x <- W x + tracking W (x - x') - rate (g - tracking g'), and at first x <- W x - rate g. The
/// mean of y is that of g. It ends where D-PSGD that combines, then adapts, ends at the rate (1 -
/// tracking) rate; with a tracking of 0 it is that. With gradients at x it diverges where W has
/// eigenvalues near or below -1 / (1 + 2 tracking), as a ring of an even number of nodes has; the
/// authors' program takes them at W x. For plain sgd; three rows a node.
template <weight_rule Weights = metropolis_hastings>
struct gut {
  double tracking = 0.9;
  gradient_point point = gradient_point::mixed;
  Weights rule{};

  static constexpr std::size_t rows = 3;

  void on_round(auto &plan, round_number k) const {
    row_name const now = exchange_row(k % 2), before = exchange_row(1 - k % 2);  // g, g'
    if (point == gradient_point::own) plan.train_all({.into = now});
    plan.mix_all(plan.weights(k));
    if (point == gradient_point::mixed) plan.train_all({.into = now});
    if (k == 0) plan.assign_all(mixed, {{1, model_row}});
    plan.assign_all(model_row, {{1 + tracking, model_row}, {-tracking, mixed}});
    double const share = 1 / (1 + tracking);  // of W x, which is what it was
    plan.assign_all(mixed, {{share, model_row}, {1 - share, mixed}});
    plan.assign_all(before, {{1, now}, {-tracking, before}});
    plan.step_all({.gradient = before});
  }
  static constexpr exchange_properties properties() { return {.gradient_waits = false}; }

  auto weights(graph const &g) const { return rule.weights(g); }
  void check(graph const &g) const { check_weights("gut", g, rule); }

  static constexpr char const *name = "gut";
  static constexpr char const *meaning =
      "Aketi et al. 2023: D-PSGD with tracking of the global update, without more messages";
  static constexpr auto members() {
    return member_list{
        described("tracking", &gut::tracking, "factor on the tracked update of the previous round",
                  {.most = 1, .below_most = true}),
        described("point", &gut::point,
                  "point of gradients: a node's own model, or the mixture of its neighborhood"),
        described("weights", &gut::rule, "mixing weights")};
  }

 private:
  static constexpr row_name mixed = exchange_row(2);  // W x', the round before
};

static_assert(exchange<gut<>>);

}  // namespace gossip
