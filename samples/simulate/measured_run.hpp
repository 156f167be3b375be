// A folder that gossip-live has written: the clock that it stands for, and what was measured beside
// what a plan predicts.
#pragma once

#include <cstddef>
#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

#include <gossip/clock/link.hpp>
#include <gossip/simulator/plan_report.hpp>

#include "schema.hpp"

namespace simulate {

/// Times of iterations stay in their file; the link is that on which the exchanges would have taken
/// as long as they did.
class measured_run {
 public:
  /// Throws input_error where the folder lacks computing.csv or exchanges.csv, or a line of them
  /// cannot be used.
  explicit measured_run(std::string folder);

  std::size_t nodes() const { return nodes_; }
  gossip::link const &link() const { return link_; }

  /// "/clock=...", as --set takes it.
  std::string setting() const;

  /// Throws input_error unless the network has as many nodes.
  void require_nodes(std::size_t nodes) const;

  /// Time an epoch, staleness and the share of the time that nodes compute, measured, predicted and
  /// the deviation of the latter; null where the folder has no summary.
  json beside(gossip::plan_report const &plan) const;

 private:
  struct learner {
    double computing, staleness;
  };
  struct totals {
    bool in_rounds;  ///< it ended with a whole round
    double epoch_seconds, staleness;
    std::vector<learner> learners;
  };

  std::string file(char const *name) const { return folder_ + "/" + name; }
  void read_exchanges();
  void read_summary();

  std::string folder_;
  std::size_t nodes_ = 0;
  gossip::link link_{};
  std::optional<totals> measured_;
};

/// A table of what measured_run::beside gives.
void print_beside(std::ostream &out, json const &held);

}  // namespace simulate
