// All-reduce that is a round late, so that sums of gradients outlive rounds and windows.
#pragma once

#include <gossip/core/node.hpp>
#include <gossip/plan/exchange_properties.hpp>

namespace gossip::test {

/// Steps by the gradients of the round before.
struct late_reduce {
  void on_round(auto &plan, round_number k) const {
    if (k > 0) plan.reduce_all();
    plan.train_all();
  }
  static constexpr exchange_properties properties() { return {.replicas_identical = true}; }
};

}  // namespace gossip::test
