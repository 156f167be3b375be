// Definitions of simulator/prepared_plan.hpp.
#pragma once

#include <gossip/simulator/prepared_plan.hpp>

#include <utility>

#include <gossip/core/inline.hpp>

namespace gossip::detail {

GOSSIP_INLINE prepared_plan::prepared_plan(plan_settings settings_of_run, read_clock clock_of_run,
                                           fact_list facts_of_policies, fleet_size size_of_network)
    : settings(std::move(settings_of_run)),
      clock(std::move(clock_of_run)),
      facts(std::move(facts_of_policies)),
      size(size_of_network) {
  facts.insert(facts.end(), clock.contents.begin(), clock.contents.end());
}

GOSSIP_INLINE prepared_plan::prepared_plan(prepared_plan &&) noexcept = default;
GOSSIP_INLINE prepared_plan::~prepared_plan() = default;

GOSSIP_INLINE void prepared_plan::attach(held_exchange const &exchange, graph const &network,
                                         by_round<mixing_matrix> weights_of_run,
                                         saved_state const *state) {
  weights = std::move(weights_of_run);
  attached = detail::attach(exchange, network, clock.clock, settings, weights, size);
  if (state) settings.answers = state->list<double>("run/answers");
}

}  // namespace gossip::detail
