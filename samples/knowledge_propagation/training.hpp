// The training of the network, and what every node knew when.
#pragma once

#include <vector>

#include <gossip/observer/class_accuracy.hpp>
#include <gossip/observer/record.hpp>
#include <gossip/observer/report.hpp>

#include "network.hpp"

namespace propagation {

/// At one tick; lists (n).
struct observation {
  gossip::record record;
  double tick = 0;
  std::vector<double> rare{}, all{},
      loss{};  ///< accuracy on the class, on all classes; loss on all
};

struct training {
  std::vector<observation> history;  ///< from before the first training to the end
  gossip::run_report report;
};

/// Throws input_error where the data has too few samples.
training train(arguments const &a, network const &net);

}  // namespace propagation
