// Local SGD. S. U. Stich, "Local SGD converges fast and communicates little", ICLR 2019, Algorithm
// 1; with averaged momentum H. Yu, R. Jin, S. Yang, "On the linear speedup analysis of
// communication efficient momentum SGD for distributed non-convex optimization", ICML 2019,
// Algorithm 1.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

#include <gossip/core/described.hpp>
#include <gossip/core/error.hpp>
#include <gossip/plan/exchange.hpp>
#include <gossip/plan/row_name.hpp>

namespace gossip {

/// Treatment of the optimizers' rows (momentum, Adam's moments) where models are averaged: every
/// node keeps its own, all nodes take the mean of each row, or optimizers start anew. Of Adam both
/// moments are averaged: the mean of the first over a node's own second has no bound.
enum class momentum_at_average { keep, average, reset };

template <>
struct value_names<momentum_at_average> {
  static constexpr std::array<char const *, 3> names{"keep", "average", "reset"};
};

/// The models of all nodes become their mean. `average` needs an optimizer that keeps a row.
void average_models(auto &plan, momentum_at_average momentum) {
  plan.average_all();
  // Row 0 also where there is no row: plans refuse it in a sentence.
  auto const kept = static_cast<std::uint8_t>(std::max<std::size_t>(1, plan.optimizer_rows()));
  if (momentum == momentum_at_average::average)
    for (std::uint8_t k = 0; k < kept; ++k) plan.average_all(optimizer_row(k));
  if (momentum == momentum_at_average::reset)
    for (node i = 0; i < plan.nodes(); ++i) plan.reset_optimizer(i);
}

/// Throws input_error where a node would send to more peers than there are other nodes, in a
/// network of more nodes than one.
inline void check_peers(char const *where, std::size_t peers, std::size_t nodes) {
  if (nodes > 1 && peers >= nodes)
    throw input_error(where, "at most the number of other nodes, " + std::to_string(nodes - 1),
                      std::to_string(peers));
}

/// Nodes train alone; after every `local_steps` rounds all take the mean of their models. The graph
/// does not matter. With one local step and plain SGD it is all_reduce, up to rounding.
struct local_sgd {
  std::uint64_t local_steps = 4;  ///< rounds from one average to the next
  momentum_at_average momentum = momentum_at_average::keep;

  static constexpr std::size_t rows = 0;  // beside the optimizer's

  void on_round(auto &plan, round_number k) const {
    plan.train_all();
    plan.step_all();
    if ((k + 1) % local_steps == 0) average_models(plan, momentum);
  }
  constexpr exchange_properties properties() const {
    return {.gradient_waits = false,
            .rounds = {.period = local_steps, .act = "mean of all models"},
            .when_network_changes = network_changes::ignored};
  }

  static constexpr char const *name = "local_sgd";
  static constexpr char const *meaning =
      "Stich 2019: local steps, then all nodes take the mean of their models";
  static constexpr auto members() {
    return member_list{
        described("local_steps", &local_sgd::local_steps,
                  "number of local steps between two averages", {.least = 1}),
        described(
            "momentum", &local_sgd::momentum,
            "rows of the optimizers, such as momentum, when models are averaged: kept, averaged "
            "or reset")};
  }
};

static_assert(exchange<local_sgd>);

}  // namespace gossip
