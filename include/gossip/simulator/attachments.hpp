// Rows that a run needs beside those of nodes: of servers, and of messages until they are read.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <gossip/clock/virtual_clock.hpp>
#include <gossip/core/node.hpp>
#include <gossip/fleet/fleet.hpp>
#include <gossip/fleet/rank_layout.hpp>
#include <gossip/graph/graph.hpp>
#include <gossip/graph/mixing_matrix.hpp>
#include <gossip/plan/planner.hpp>
#include <gossip/plan/settings.hpp>
#include <gossip/plan/window.hpp>

namespace gossip::detail {

/// Counts the messages that senders have at a time by planning the whole run once, tells plan and
/// size, and says on which nodes' ranks servers and payloads are. Servers are with node 0, payloads
/// with their senders.
template <class Exchange, class Compute>
attached_owners attach(Exchange const &exchange, graph const &network,
                       virtual_clock<Compute> const &clock, plan_settings &plan,
                       std::vector<mixing_matrix> const &weights, fleet_size &size) {
  attached_owners attached;
  attached.servers.assign(exchange_servers<Exchange>, 0);
  size.servers = attached.servers.size();
  if constexpr (takes_messages<Exchange, plan_verbs<Exchange, Compute>>) {
    planner<Exchange, Compute> counted(exchange, network, clock, plan, weights);
    for (plan_window window; counted.next(window);) {
    }
    plan.outboxes = counted.most_payloads();
    for (std::size_t i = 0; i < plan.outboxes.size(); ++i)
      attached.payloads.insert(attached.payloads.end(), plan.outboxes[i],
                               i < network.nodes() ? static_cast<node>(i) : node{0});
    size.payloads = attached.payloads.size();
  }
  return attached;
}

}  // namespace gossip::detail
