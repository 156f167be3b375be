// Definitions of simulator/network_use.hpp.
#pragma once

#include <gossip/simulator/network_use.hpp>

#include <gossip/core/inline.hpp>

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

}  // namespace gossip
