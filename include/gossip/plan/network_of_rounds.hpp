// The network as an exchange sees it in a round of a plan.
#pragma once

#include <gossip/core/node.hpp>
#include <gossip/graph/graph.hpp>
#include <gossip/plan/exchange_properties.hpp>
#include <gossip/plan/refusals.hpp>

namespace gossip {

/// A graph, or the graphs of rounds, of which one is the round's. The graph outlives it.
class network_of_rounds {
 public:
  explicit network_of_rounds(graph const &g, network_changes changes)
      : all_(g),
        by_round_(g.rounds() != nullptr && changes == network_changes::by_round),
        now_(g.rounds() == nullptr ? &g : nullptr) {}

  void begin(round_number k) {
    if (by_round_) now_ = &(*all_.rounds())[k];
  }

  /// The graph, or that of this round. Throws error on one that changes if that is to be ignored.
  graph const &now() const {
    if (now_ == nullptr) [[unlikely]]
      detail::refuse_ignored_network();
    return *now_;
  }
  /// Likewise of round k.
  graph const &of(round_number k) const {
    graph const &one = now();
    return all_.rounds() ? (*all_.rounds())[k] : one;
  }
  /// Likewise the union of the graphs of all rounds.
  graph const &united() const {
    now();
    return all_;
  }
  /// The graph as it was given, for the plan itself.
  graph const &all() const { return all_; }

 private:
  graph const &all_;
  bool by_round_;
  graph const *now_;  // nullptr where a changing one is ignored, and before the first round
};

}  // namespace gossip
