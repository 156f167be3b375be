// Staleness of gradients: a histogram, and its count over the operations of a plan.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

#include <gossip/core/node.hpp>
#include <gossip/plan/operation.hpp>
#include <gossip/plan/server_staleness.hpp>
#include <gossip/plan/window.hpp>

namespace gossip {

/// Histogram of the staleness of gradients: the number of times that a model changed, by averages
/// with partners, by the learner's own steps or by a server's, between a gradient and its
/// application.
class staleness_counts {
 public:
  static constexpr std::size_t bins = 33;  ///< the last is for all from there on

  void add(std::uint64_t staleness) {
    ++counts_[std::min<std::uint64_t>(staleness, bins - 1)];
    sum_ += staleness;
    largest_ = std::max(largest_, staleness);
  }
  void add(staleness_counts const &other) {
    for (std::size_t b = 0; b < bins; ++b) counts_[b] += other.counts_[b];
    sum_ += other.sum_;
    largest_ = std::max(largest_, other.largest_);
  }

  std::uint64_t operator[](std::size_t bin) const { return counts_[bin]; }
  std::uint64_t total() const {
    return std::accumulate(counts_.begin(), counts_.end(), std::uint64_t{0});
  }
  std::uint64_t sum() const { return sum_; }
  std::uint64_t largest() const { return largest_; }
  double mean() const {
    return static_cast<double>(sum_) / static_cast<double>(std::max<std::uint64_t>(1, total()));
  }

 private:
  std::array<std::uint64_t, bins> counts_{};
  std::uint64_t sum_ = 0, largest_ = 0;
};

/// Counts the staleness of the gradients of a plan, one part of its stream after another. A
/// gradient is applied by the step of its node, by the mean of all gradients, or by a server
/// (plan/server_staleness.hpp), whose steps then are the changes. An exchange that writes models
/// anew from rows of its own, as push_sum and gossip_learning do, changes them.
class planned_staleness {
 public:
  explicit planned_staleness(std::size_t nodes) : nodes_(nodes), of_servers_(nodes) {}

  void count(plan_window const &window) { count(window, window.stream); }
  /// part: of the window's stream.
  void count(plan_window const &window, std::span<operation const> part);

  staleness_counts const &counts() const { return counts_; }

  /// The mean of every node's gradients, (n); 0 where none has been applied.
  std::vector<double> means() const;

 private:
  struct of_node {
    std::uint64_t changes = 0, begun_at = 0;  ///< changes of its model, and those before a gradient
    std::uint64_t sum = 0, applied = 0;       ///< of staleness; gradients
    bool waits = false;                       ///< a gradient, to be applied
  };

  void take(operation const &o);

  void change(node i) {
    if (i < nodes_.size()) ++nodes_[i].changes;
  }
  void begin(of_node &one) {
    one.begun_at = one.changes + of_all_;
    one.waits = true;
  }
  void step(of_node &one) {
    if (one.waits) apply(one, one.changes + of_all_ - one.begun_at);
    one.waits = false;
    ++one.changes;
  }
  void apply(of_node &one, std::uint64_t staleness) {
    counts_.add(staleness);
    one.sum += staleness;
    ++one.applied;
  }

  std::vector<of_node> nodes_;
  server_staleness of_servers_;
  std::uint64_t of_all_ = 0;  ///< changes of all models at once
  staleness_counts counts_;
};

}  // namespace gossip

#ifndef GOSSIP_COMPILED
#include <gossip/plan/detail/staleness.ipp>
#endif
