// How far the nodes' models are from each other: (1/n) sum_i |x_i - mean x|^2.
#pragma once

#include <gossip/observer/network_mean.hpp>
#include <gossip/observer/record.hpp>

namespace gossip {

struct consensus_distance {
  template <class Context>
  void measure(Context &context, record &r) const {
    r.consensus_distance =
        mean_squared_distance(context.rows(), context.engine().host_loops(), context.mean_model());
  }
};

}  // namespace gossip
