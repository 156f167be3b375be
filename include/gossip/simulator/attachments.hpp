// Memory of a run beside the rows of nodes, as far as a plan shows it: rows of servers and of
// messages until they are read, matrices of rounds, and room for operations to work in.
#pragma once

#include <deque>
#include <vector>

#include <gossip/clock/clock.hpp>
#include <gossip/core/node.hpp>
#include <gossip/fleet/fleet.hpp>
#include <gossip/fleet/rank_layout.hpp>
#include <gossip/graph/graph.hpp>
#include <gossip/mixing/matrix.hpp>
#include <gossip/plan/operation_needs.hpp>
#include <gossip/plan/settings.hpp>
#include <gossip/simulator/held_exchange.hpp>
#include <gossip/simulator/remarks.hpp>

namespace gossip {

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
attachments attach(held_exchange const &exchange, graph const &network, prepared_clock const &clock,
                   plan_settings &plan, by_round<mixing_matrix> const &weights, fleet_size &size);

}  // namespace detail

}  // namespace gossip

#ifndef GOSSIP_COMPILED
#include <gossip/simulator/detail/attachments.ipp>
#endif
