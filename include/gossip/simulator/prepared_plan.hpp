// The plan of a run and what is known of it beforehand.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include <gossip/clock/clock.hpp>
#include <gossip/core/by_round.hpp>
#include <gossip/fleet/size.hpp>
#include <gossip/graph/graph.hpp>
#include <gossip/mixing/matrix.hpp>
#include <gossip/plan/settings.hpp>
#include <gossip/plan/window.hpp>
#include <gossip/simulator/attachments.hpp>
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

  template <class Assembly>
  prepared_plan(Assembly const &of, run_context<typename Assembly::source_type> const &run,
                std::vector<cadence> cadences)
      : settings(of.plan_of(run.settings, run.network.nodes(), run.epoch)),
        clock(read(of.options.clock_value(), run.network.nodes())),
        size(of.size_of(run.network.nodes())) {
    std::size_t const n = run.network.nodes();
    settings.samples = samples_of_shares(run.source, of.exchanges().shares_for(n));
    settings.cadences = std::move(cadences);
    facts = facts_of(run.settings, settings, n, of.model, of.optimizer, of.exchange, of.options);
    facts.insert(facts.end(), clock.contents.begin(), clock.contents.end());
    if constexpr (Assembly::transport_type::spans_ranks) {
      fact_list rank = of_rank(facts, run.settings, of.options.backend_value());
      if constexpr (!Assembly::on_device)
        rank.emplace_back("device of gradients", of.model.device_name());
      of.options.transport_value().require_same(rank);
    }
    weights = of.weights_for(run.network);
    attached = attach(of.exchange, run.network, clock.clock, settings, weights, size);
    if (run.settings.state)
      settings.answers = run.settings.state->template list<double>("run/answers");
  }
};

}  // namespace gossip::detail
