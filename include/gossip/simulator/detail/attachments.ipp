// Definitions of simulator/attachments.hpp.
#pragma once

#include <gossip/simulator/attachments.hpp>

#include <cstddef>
#include <utility>

#include <gossip/core/inline.hpp>
#include <gossip/mixing/graph_report.hpp>
#include <gossip/plan/window.hpp>

namespace gossip::detail {

GOSSIP_INLINE attachments attach(held_exchange const &exchange, graph const &network,
                                 prepared_clock const &clock, plan_settings &plan,
                                 by_round<mixing_matrix> const &weights, fleet_size &size) {
  attachments all;
  attached_owners &attached = all.owners;
  attached.servers.assign(size.servers, 0);
  plan.outboxes = exchange.most_payloads(network, clock, plan, weights);
  for (std::size_t i = 0; i < plan.outboxes.size(); ++i)
    attached.payloads.insert(attached.payloads.end(), plan.outboxes[i],
                             i < network.nodes() ? static_cast<node>(i) : node{0});
  size.payloads = attached.payloads.size();
  plan_window first;
  window_source const next = exchange.plan(network, clock, plan, weights);
  next(first, plan_window::no_limit);
  all.operations = operation_needs(first);
  all.known = {describe(network, weights), remarks_on(exchange, network, clock, plan, next, first)};
  for (mixing_matrix const *const named : first.matrices)
    for (mixing_matrix const &declared : weights.values())
      if (named->identity() == declared.identity()) all.mixing.push_back(&declared);
  all.of_rounds = std::move(first.own_matrices);  // these keep their addresses
  for (mixing_matrix const &w : all.of_rounds) all.mixing.push_back(&w);
  return all;
}

}  // namespace gossip::detail
