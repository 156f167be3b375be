// Use of nodes and links over a whole run, from its timeline.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <gossip/clock/clock.hpp>
#include <gossip/clock/link.hpp>
#include <gossip/clock/links.hpp>
#include <gossip/clock/timeline.hpp>
#include <gossip/core/node.hpp>
#include <gossip/fleet/fleet.hpp>
#include <gossip/graph/graph.hpp>
#include <gossip/mixing/matrix.hpp>
#include <gossip/plan/settings.hpp>
#include <gossip/simulator/held_exchange.hpp>

namespace gossip {

/// The busiest nodes and links, and the idlest. Owners from the number of nodes on are servers.
struct network_use {
  double training = 0;        ///< share of the run's virtual time that a node trains, mean
  double least_training = 0;  ///< of the node that trains least
  node least_trained = 0;
  std::vector<double> training_of{};  ///< that share of every node, (n)
  std::uint64_t most_sent = 0;        ///< bytes of the owner that sends most
  node sends_most = 0;
  edge_bytes busiest{};      ///< the pair of owners with most bytes, in one direction
  double busiest_share = 0;  ///< of what its link could carry in the run's virtual time
  std::size_t traced = 0;    ///< nodes, from 0 on, whose activities follow
  std::vector<timed_activity> activities{};
};

/// nodes: of the run, which takes until `end`.
network_use use_of(timeline &times, link_table const &links, std::size_t nodes, virtual_time end);

/// Of a plan that is made to its end, and of which nothing else is kept. kept: nodes whose
/// activities are.
network_use planned_use(detail::held_exchange const &exchange, graph const &network,
                        prepared_clock const &clock, plan_settings plan,
                        by_round<mixing_matrix> const &weights, fleet_size const &size,
                        std::size_t kept);

}  // namespace gossip

#ifndef GOSSIP_COMPILED
#include <gossip/simulator/detail/network_use.ipp>
#endif
