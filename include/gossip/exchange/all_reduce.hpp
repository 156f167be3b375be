// Synchronous data-parallel SGD: all nodes step by the mean of their gradients, so that one model
// serves the whole network. Equals SGD with a batch n times as large.
#pragma once

#include <gossip/core/described.hpp>
#include <gossip/plan/exchange.hpp>

namespace gossip {

struct all_reduce {
  void on_round(auto &plan, round_number) const {
    plan.train_all();
    plan.reduce_all();
  }
  static constexpr exchange_properties properties() {
    return {.gradient_waits = false,
            .replicas_identical = true,
            .when_network_changes = network_changes::ignored};
  }

  static constexpr char const *name = "all_reduce";
  static constexpr char const *meaning =
      "synchronous SGD: all nodes step by the mean gradient, so that they hold one model";
  static constexpr auto members() { return member_list{}; }
};

static_assert(exchange<all_reduce>);

}  // namespace gossip
