// Memory of a run beside the rows of nodes, as far as a plan shows it: rows of servers and of
// messages until they are read, matrices of rounds, and room for operations to work in.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <limits>
#include <utility>
#include <vector>

#include <gossip/clock/clock.hpp>
#include <gossip/core/node.hpp>
#include <gossip/fleet/fleet.hpp>
#include <gossip/fleet/rank_layout.hpp>
#include <gossip/graph/graph.hpp>
#include <gossip/mixing/matrix.hpp>
#include <gossip/plan/operation_needs.hpp>
#include <gossip/plan/planner.hpp>
#include <gossip/plan/settings.hpp>
#include <gossip/plan/window.hpp>
#include <gossip/simulator/exchange_outline.hpp>
#include <gossip/simulator/remarks.hpp>

namespace gossip {

/// Rows of edges and the most messages of each sender that are kept at a time, (n + servers),
/// counted by planning the whole run once, with answers that are no numbers; empty where the
/// exchange has none.
template <class Exchange, class Compute>
std::vector<std::uint32_t> most_payloads(Exchange const &exchange, graph const &network,
                                         virtual_clock<Compute> const &clock,
                                         plan_settings const &plan,
                                         by_round<mixing_matrix> const &weights) {
  if constexpr (erased_exchange<Exchange>) {
    return exchange.payloads(network, any_clock(clock), plan, weights);
  } else if constexpr (takes_messages<Exchange, plan_of<Exchange>> ||
                       exchange_edge_rows<Exchange> > 0) {
    planner<Exchange> counted(exchange, network, clock, plan, weights);
    for (plan_window window; counted.next(window);)
      if (window.asks) window.answers->push_back(std::numeric_limits<double>::quiet_NaN());
    return counted.most_payloads();
  } else {
    return {};
  }
}

namespace detail {

/// The parts of a run that its plan shows beforehand.
struct attachments {
  attached_owners owners;
  operation_needs operations;                 ///< of its first window
  std::deque<mixing_matrix> of_rounds;        ///< that this window has for itself
  std::vector<mixing_matrix const *> mixing;  ///< that its mixtures name
  preview known;
};

/// Places of servers and payloads, by the nodes whose ranks have them; plan and size learn of the
/// latter. Servers are with node 0, payloads with their senders. The weights outlive it.
template <class Exchange, class Compute>
attachments attach(Exchange const &exchange, graph const &network,
                   virtual_clock<Compute> const &clock, plan_settings &plan,
                   by_round<mixing_matrix> const &weights, fleet_size &size) {
  attachments all;
  attached_owners &attached = all.owners;
  attached.servers.assign(size.servers, 0);
  plan.outboxes = most_payloads(exchange, network, clock, plan, weights);
  for (std::size_t i = 0; i < plan.outboxes.size(); ++i)
    attached.payloads.insert(attached.payloads.end(), plan.outboxes[i],
                             i < network.nodes() ? static_cast<node>(i) : node{0});
  size.payloads = attached.payloads.size();
  plan_window first;
  planner<Exchange> beginning(exchange, network, clock, plan, weights);
  beginning.next(first);
  all.operations = operation_needs(first);
  all.known = {describe(network, weights),
               remarks_on(exchange, network, clock, plan, beginning, first)};
  for (mixing_matrix const *const named : first.matrices)
    for (mixing_matrix const &declared : weights.values())
      if (named->identity() == declared.identity()) all.mixing.push_back(&declared);
  all.of_rounds = std::move(first.own_matrices);  // these keep their addresses
  for (mixing_matrix const &w : all.of_rounds) all.mixing.push_back(&w);
  return all;
}

}  // namespace detail

}  // namespace gossip
