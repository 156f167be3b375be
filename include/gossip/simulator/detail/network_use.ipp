// Definitions of simulator/network_use.hpp.
#pragma once

#include <gossip/simulator/network_use.hpp>

#include <algorithm>

#include <gossip/core/inline.hpp>
#include <gossip/plan/window.hpp>

namespace gossip {

GOSSIP_INLINE network_use use_of(timeline &times, link_table const &links, std::size_t nodes,
                                 virtual_time end) {
  network_use use;
  double const all = static_cast<double>(end.count());
  use.least_training = 1.0;
  for (node i = 0; i < times.owners(); ++i) {
    if (times.bytes_sent(i) > use.most_sent) {
      use.most_sent = times.bytes_sent(i);
      use.sends_most = i;
    }
    if (i >= nodes || end <= virtual_time(0)) continue;
    double const share = static_cast<double>(times.in_training(i, end).count()) / all;
    use.training_of.push_back(share);
    use.training += share / static_cast<double>(nodes);
    if (share < use.least_training) {
      use.least_training = share;
      use.least_trained = i;
    }
  }
  for (edge_bytes const &e : times.edges())
    if (e.bytes > use.busiest.bytes) use.busiest = e;
  if (use.busiest.bytes > 0 && end > virtual_time(0))
    use.busiest_share = static_cast<double>(use.busiest.bytes) /
                        (links.between(use.busiest.from, use.busiest.to).bandwidth * all * 1e-9);
  use.activities = times.take_activities();
  return use;
}

GOSSIP_INLINE network_use planned_use(detail::held_exchange const &exchange, graph const &network,
                                      prepared_clock const &clock, plan_settings plan,
                                      by_round<mixing_matrix> const &weights,
                                      fleet_size const &size, std::size_t kept) {
  kept = std::min(kept, network.nodes());
  timeline times(network.nodes() + size.servers, kept);
  plan.times = &times;
  plan.ends = nullptr;  // a plan that has timed them has told nobody
  window_source const next = exchange.plan(network, clock, plan, weights);
  plan_window window;
  while (next(window, plan_window::no_limit)) {
  }
  link_table const links(clock.network, clock.links, network.nodes());
  network_use use = use_of(times, links, network.nodes(), window.end.time);
  use.traced = kept;
  return use;
}

}  // namespace gossip
