// Nodes that learn alone: the base line without any exchange.
#pragma once

#include <gossip/core/described.hpp>
#include <gossip/plan/exchange.hpp>

namespace gossip {

struct none {
  void on_round(auto &plan, round_number) const {
    plan.train_all();
    plan.step_all();
  }
  static constexpr exchange_properties properties() {
    return {.gradient_waits = false,
            .tolerates_loss = true,
            .tolerates_absence = true,
            .communicates = false,
            .when_network_changes = network_changes::ignored};
  }

  static constexpr char const *name = "none";
  static constexpr char const *meaning = "nodes train alone, without communication";
  static constexpr auto members() { return member_list{}; }
};

static_assert(exchange<none>);

}  // namespace gossip
