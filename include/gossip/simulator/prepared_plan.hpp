// The plan of a run and what is known of it beforehand.
#pragma once

#include <gossip/core/by_round.hpp>
#include <gossip/core/named_state.hpp>
#include <gossip/fleet/size.hpp>
#include <gossip/graph/graph.hpp>
#include <gossip/mixing/matrix.hpp>
#include <gossip/plan/settings.hpp>
#include <gossip/simulator/attachments.hpp>
#include <gossip/simulator/held_exchange.hpp>
#include <gossip/simulator/read_clock.hpp>
#include <gossip/transport/facts.hpp>

namespace gossip::detail {

/// The plan of a run, its clock, weights and facts; all ranks have the same.
struct prepared_plan {
  plan_settings settings;
  read_clock clock;
  fact_list facts;
  by_round<mixing_matrix> weights;
  fleet_size size;  ///< of the whole network
  attachments attached;

  /// Adds the clock's facts to the facts of the other policies.
  prepared_plan(plan_settings settings_of_run, read_clock clock_of_run, fact_list facts_of_policies,
                fleet_size size_of_network);
  prepared_plan(prepared_plan &&) noexcept;
  ~prepared_plan();

  /// Takes the weights, the memory that the first window shows, and the answers of the state from
  /// which the run goes on. state: null for a run from its beginning.
  void attach(held_exchange const &exchange, graph const &network,
              by_round<mixing_matrix> weights_of_run, saved_state const *state);
};

}  // namespace gossip::detail

#ifndef GOSSIP_COMPILED
#include <gossip/simulator/detail/prepared_plan.ipp>
#endif
