// The weighted mean of a neighborhood: gossip as in D-PSGD, which no attack has to fear.
#pragma once

#include <cstddef>

#include <gossip/aggregation/aggregation.hpp>
#include <gossip/core/described.hpp>
#include <gossip/graph/graph.hpp>
#include <gossip/mixing/matrix.hpp>

namespace gossip::aggregation {

/// x_i <- sum_j w_ij x_j
struct weighted_mean {
  static constexpr std::size_t rows = 0;

  void aggregate(auto &plan, mixing_matrix const &w) const { plan.mix_all(w); }
  static void check(graph const &) {}

  static constexpr char const *name = "weighted_mean";
  static constexpr char const *meaning = "the sum of models times their weights";
  static constexpr member_list<> members() { return {}; }
};
static_assert(aggregation_rule<weighted_mean>);

}  // namespace gossip::aggregation
