// Consensus distance of the nodes' models: (1/n) sum_i |x_i - mean x|^2 over the parameters x, and
// apart from them over the statistics of batch normalisation where the model has some.
#pragma once

#include <cstddef>

#include <gossip/model/outline.hpp>
#include <gossip/observer/network_mean.hpp>
#include <gossip/observer/record.hpp>

namespace gossip {

struct consensus_distance {
  template <class Context>
  void measure(Context &context, record &r) const {
    model_outline const model = context.outline();
    auto const distance = [&](std::size_t first, std::size_t last) {
      return mean_squared_distance(context.rows(), context.loops(), context.mean_model(), first,
                                   last);
    };
    r.consensus_distance = distance(0, model.parameters);
    if (model.statistics > 0)
      r.statistics_distance = distance(model.parameters, model.row_length());
  }
};

}  // namespace gossip
