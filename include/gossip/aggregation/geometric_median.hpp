// The geometric median by smoothed Weiszfeld iterations. K. Pillutla, S. M. Kakade, Z. Harchaoui,
// "Robust aggregation for federated learning", IEEE Trans. Signal Process. 70 (2022), Algorithm 2
// with equal weights.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <gossip/aggregation/aggregation.hpp>
#include <gossip/core/described.hpp>
#include <gossip/core/error.hpp>
#include <gossip/core/node.hpp>
#include <gossip/graph/graph.hpp>
#include <gossip/mixing/matrix.hpp>
#include <gossip/op/scalar.hpp>
#include <gossip/plan/row_name.hpp>
#include <gossip/plan/scalar_handle.hpp>

namespace gossip::aggregation {

/// y, at first the mean of a neighborhood's models, becomes the mean of them weighted by
/// 1 / max(smoothing, |x_j - y|), `iterations` times: near the point whose distances to all have
/// the least sum. Every iteration reads every model again.
struct geometric_median {
  std::uint32_t iterations = 8;
  double smoothing = 1e-6;

  static constexpr std::size_t rows = 2;

  static constexpr bool reads_each() { return true; }
  void aggregate(auto &plan, mixing_matrix const &w, received_models const &from = {}) const {
    row_name last = exchange_row(0), next = exchange_row(1);
    for (node i = 0; i < plan.nodes(); ++i) {
      auto const inputs = w.row(i).columns;
      coefficient const equal = 1 / static_cast<double>(inputs.size());
      add_models(plan, i, last, inputs, std::vector<coefficient>(inputs.size(), equal), from);
    }
    for (std::uint32_t turn = 0; turn < iterations; ++turn) {
      std::vector<std::vector<scalar>> weights(plan.nodes());
      for (node i = 0; i < plan.nodes(); ++i)
        for (node const j : w.row(i).columns)
          weights[i].push_back(plan.template compute<op::inverse_length>(
              i, {squared_distance(plan, i, last, j, from)}, {smoothing}));
      for (node i = 0; i < plan.nodes(); ++i) {
        std::vector<coefficient> shares;
        for (std::size_t k = 0; k < weights[i].size(); ++k)
          shares.push_back(
              plan.template compute<op::share_of_sum>(i, weights[i], {static_cast<double>(k)}));
        add_models(plan, i, next, w.row(i).columns, shares, from);
      }
      std::swap(last, next);
    }
    plan.assign_all(model_row, {{1, last}});
  }

  void check(graph const &) const {
    if (!(smoothing > 0))
      throw input_error("geometric_median: smoothing", "above 0", std::to_string(smoothing));
  }

  static constexpr char const *name = "geometric_median";
  static constexpr char const *meaning =
      "Pillutla et al. 2022: the point whose distances to all models have the least sum";
  static constexpr auto members() {
    return member_list{described("iterations", &geometric_median::iterations, "of Weiszfeld's"),
                       described("smoothing", &geometric_median::smoothing,
                                 "the least distance that counts", {.above_least = true})};
  }
};
static_assert(aggregation_rule<geometric_median>);

}  // namespace gossip::aggregation
