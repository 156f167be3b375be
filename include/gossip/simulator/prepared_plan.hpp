// The plan of a run and what is known of it beforehand.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include <gossip/clock/clock.hpp>
#include <gossip/core/by_round.hpp>
#include <gossip/core/named_state.hpp>
#include <gossip/fleet/size.hpp>
#include <gossip/graph/graph.hpp>
#include <gossip/mixing/matrix.hpp>
#include <gossip/plan/settings.hpp>
#include <gossip/plan/window.hpp>
#include <gossip/simulator/attachments.hpp>
#include <gossip/simulator/held_exchange.hpp>
#include <gossip/simulator/provenance.hpp>
#include <gossip/simulator/rank_facts.hpp>
#include <gossip/simulator/read_clock.hpp>
#include <gossip/simulator/run_context.hpp>
#include <gossip/simulator/run_plan.hpp>
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

/// The plan of a run of these policies. Throws input_error where ranks differ in one of them.
template <class Assembly>
prepared_plan prepare_plan(Assembly const &of,
                           run_context<typename Assembly::source_type> const &run,
                           std::vector<cadence> cadences) {
  std::size_t const n = run.network.nodes();
  plan_settings settings = of.plan_of(run.settings, n, run.epoch);
  read_clock clock = read(of.options.clock_value(), n);
  fleet_size const size = of.size_of(n);
  settings.samples = samples_of_shares(run.source, of.exchanges().shares_for(n));
  settings.cadences = std::move(cadences);
  fact_list facts =
      facts_of(run.settings, settings, n, of.model, of.optimizer, of.exchange, of.options);
  prepared_plan plan(std::move(settings), std::move(clock), std::move(facts), size);
  if constexpr (Assembly::transport_type::spans_ranks) {
    fact_list rank = of_rank(plan.facts, run.settings, of.options.backend_value());
    if constexpr (!Assembly::on_device)
      rank.emplace_back("device of gradients", of.model.device_name());
    of.options.transport_value().require_same(rank);
  }
  plan.attach(of.exchange, run.network, of.weights_for(run.network), run.settings.state);
  return plan;
}

}  // namespace gossip::detail

#ifndef GOSSIP_COMPILED
#include <gossip/simulator/detail/prepared_plan.ipp>
#endif
