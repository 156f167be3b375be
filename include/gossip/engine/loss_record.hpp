// Training losses of the nodes between two observations.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include <gossip/core/named_state.hpp>
#include <gossip/core/node.hpp>
#include <gossip/fleet/fleet.hpp>
#include <gossip/plan/operation.hpp>

namespace gossip {

/// The training losses since the last observation, by node, so that their sum has one order. A loss
/// of an attacker that is not finite is left out.
class loss_record {
 public:
  /// Of the nodes of a network.
  explicit loss_record(fleet_size const &size)
      : size_(size), sums_(size.nodes), counts_(size.nodes) {}

  /// Records the loss of a training that counts. False: the run cannot go on with it.
  bool take(operation const &o, double loss) {
    if (!std::isfinite(loss)) return size_.attacks(o.a);
    if (!o.train().counts) return true;
    sums_[o.a] += loss;
    ++counts_[o.a];
    return true;
  }

  /// Sums and counts of the losses of each node, (n); ranks add up theirs before they take a mean.
  std::span<double> sums() { return sums_; }
  std::span<std::uint64_t> counts() { return counts_; }

  /// The mean over trainings since the last call; if there were none, what it was then.
  double take_mean();

  /// held: the nodes whose losses are found here.
  void name_state(state_visitor const &visit, std::span<node const> held);

 private:
  fleet_size size_;
  std::vector<double> sums_;           // (n)
  std::vector<std::uint64_t> counts_;  // (n)
  double last_ = std::numeric_limits<double>::quiet_NaN();
};

}  // namespace gossip

#ifndef GOSSIP_COMPILED
#include <gossip/engine/detail/loss_record.ipp>
#endif
