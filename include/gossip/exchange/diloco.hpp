// DiLoCo. A. Douillard, Q. Feng, A. A. Rusu, R. Chhaparia, Y. Donchev, A. Kuncoro, M. Ranzato,
// A. Szlam, J. Shen, "DiLoCo: distributed low-communication training of language models", arXiv
// 2311.08105 (2023), Algorithm 1 with Nesterov's momentum outside.
#pragma once

#include <cstddef>
#include <cstdint>

#include <gossip/core/described.hpp>
#include <gossip/plan/exchange.hpp>
#include <gossip/plan/row_name.hpp>

namespace gossip {

/// Nodes take `local_steps` steps of their own from a common model x and keep their optimizers,
/// AdamW in the paper; with x' the mean of their models the outer gradient is D = x - x', and
/// u <- outer_momentum u + D, x <- x - outer_rate (D + outer_momentum u), as sgd has Nesterov's.
/// An outer rate of 1 without momentum is local_sgd. The graph does not matter; two rows a node.
struct diloco {
  std::uint64_t local_steps = 500;  ///< rounds from one outer step to the next
  double outer_rate = 0.7;
  double outer_momentum = 0.9;

  static constexpr std::size_t rows = 2;
  static constexpr row_name start = exchange_row(0), outer = exchange_row(1);

  void on_round(auto &plan, round_number k) const {
    if (k % local_steps == 0) plan.assign_all(start, {{1, model_row}});
    plan.train_all();
    plan.step_all();
    if ((k + 1) % local_steps != 0) return;
    plan.average_all();
    plan.assign_all(outer, {{outer_momentum, outer}, {1, start}, {-1, model_row}});
    plan.assign_all(
        model_row,
        {{1 - outer_rate, start}, {outer_rate, model_row}, {-outer_rate * outer_momentum, outer}});
  }
  constexpr exchange_properties properties() const {
    return {.gradient_waits = false,
            .rounds = {.period = local_steps, .act = "outer step"},
            .when_network_changes = network_changes::ignored};
  }

  static constexpr char const *name = "diloco";
  static constexpr char const *meaning =
      "Douillard et al. 2023: local steps, then an outer step by the mean displacement with "
      "Nesterov's momentum";
  static constexpr auto members() {
    return member_list{described("local_steps", &diloco::local_steps,
                                 "number of local steps between two outer steps", {.least = 1}),
                       described("outer_rate", &diloco::outer_rate,
                                 "learning rate of the outer step", {.most = 1e6}),
                       described("outer_momentum", &diloco::outer_momentum,
                                 "momentum of the outer step", {.most = 1, .below_most = true})};
  }
};

static_assert(exchange<diloco>);

}  // namespace gossip
