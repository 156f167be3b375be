// The geometric median by smoothed Weiszfeld iterations. K. Pillutla, S. M. Kakade, Z. Harchaoui,
// "Robust aggregation for federated learning", IEEE Trans. Signal Process. 70 (2022), Algorithm 2
// with equal weights, by default from the coordinate-wise median in the place of the mean.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include <gossip/aggregation/aggregation.hpp>
#include <gossip/core/described.hpp>
#include <gossip/core/error.hpp>
#include <gossip/core/node.hpp>
#include <gossip/core/number_text.hpp>
#include <gossip/graph/graph.hpp>
#include <gossip/mixing/matrix.hpp>
#include <gossip/op/column.hpp>
#include <gossip/op/neighborhood.hpp>
#include <gossip/op/scalar.hpp>
#include <gossip/plan/row_name.hpp>
#include <gossip/plan/scalar_handle.hpp>

namespace gossip {

namespace aggregation {

/// The point at which Weiszfeld's iterations begin: the coordinate-wise median of the models that a
/// node has received, which far attackers do not move, or their mean, as in the paper.
enum class median_start { coordinate_median, mean };

}  // namespace aggregation

template <>
struct value_names<aggregation::median_start> {
  static constexpr std::array<char const *, 2> names{"coordinate_median", "mean"};
};

namespace aggregation {

/// y, at first the start, becomes the mean of a neighborhood's models weighted by 1 /
/// max(smoothing, |x_j - y|), `iterations` times: near the point whose distances to all have the
/// least sum. How near is on docs/policies/exchange.md, by tests/reference/median_steps.py. Every
/// iteration reads every model again, which is sent once.
struct geometric_median {
  std::uint32_t iterations = 130;
  double smoothing = 1e-6;
  median_start start = median_start::coordinate_median;

  static constexpr std::size_t rows = 3;

  static constexpr bool reads_each() { return true; }
  void aggregate(auto &plan, mixing_matrix const &w, received_models const &from = {}) const {
    row_name last = exchange_row(0), next = exchange_row(1);
    if (start == median_start::mean)
      begin_at_mean(plan, w, from);
    else if (from.as_they_are())
      begin_at_median(plan, w);
    else
      for (node i = 0; i < plan.nodes(); ++i) begin_at_median(plan, i, w.row(i).columns, from);
    for (std::uint32_t turn = 0; turn < iterations; ++turn) {
      std::vector<std::vector<scalar>> weights(plan.nodes());
      for (node i = 0; i < plan.nodes(); ++i)
        for (node const j : w.row(i).columns)
          weights[i].push_back(plan.compute(
              op::inverse_length{}, i, {squared_distance(plan, i, last, j, from)}, {smoothing}));
      for (node i = 0; i < plan.nodes(); ++i) {
        std::vector<coefficient> shares;
        for (std::size_t k = 0; k < weights[i].size(); ++k)
          shares.push_back(
              plan.compute(op::share_of_sum{}, i, weights[i], {static_cast<double>(k)}));
        add_models(plan, i, next, w.row(i).columns, shares, from);
      }
      std::swap(last, next);
    }
    plan.assign_all(model_row, {{1, last}});
  }

  void check(graph const &) const {
    if (iterations < 1) throw input_error("geometric_median: iterations", "at least 1", "0");
    if (!(smoothing > 0))
      throw input_error("geometric_median: smoothing", "above 0", detail::shortest(smoothing));
  }

  static constexpr char const *name = "geometric_median";
  static constexpr char const *meaning =
      "Pillutla et al. 2022: geometric median, the point with the least sum of distances to all "
      "models";
  static constexpr auto members() {
    return member_list{
        described("iterations", &geometric_median::iterations,
                  "number of iterations of the smoothed Weiszfeld algorithm", {.least = 1}),
        described("smoothing", &geometric_median::smoothing,
                  "lower bound of the distances in the weights", {.above_least = true}),
        described("start", &geometric_median::start, "initial point of the iterations")};
  }

 private:
  static constexpr row_name begun = exchange_row(0), candidate = exchange_row(1),
                            place = exchange_row(2);

  static void begin_at_mean(auto &plan, mixing_matrix const &w, received_models const &from) {
    for (node i = 0; i < plan.nodes(); ++i) {
      auto const inputs = w.row(i).columns;
      coefficient const equal = 1 / static_cast<double>(inputs.size());
      add_models(plan, i, begun, inputs, std::vector<coefficient>(inputs.size(), equal), from);
    }
  }

  /// The median where attackers send all receivers the same model. Its messages take neither time
  /// nor bytes: the iterations send the same models.
  static void begin_at_median(auto &plan, mixing_matrix const &w) {
    plan.at_no_cost([&] {
      plan.assign_all(begun, {{1, model_row}});
      plan.mix_all_by(op::coordinate_median{}, begun, w);
    });
  }

  /// The median where some of the m models are rows of node i itself, forged for it: the place of
  /// each number among the m is counted; the number in the middle is taken, or the mean of the two
  /// in the middle. O(m^2) passes over the columns.
  static void begin_at_median(auto &plan, node i, auto const &inputs, received_models const &from) {
    std::size_t const m = inputs.size();
    double const low = static_cast<double>((m - 1) / 2), high = static_cast<double>(m / 2);
    plan.apply(op::clear{}, i, {begun});
    for (std::size_t k = 0; k < m; ++k) {
      apply_to_model<op::linear<1>>(plan, i, {candidate}, inputs[k], {1.0}, from);
      plan.apply(op::clear{}, i, {place});
      for (std::size_t l = 0; l < m; ++l)
        if (l != k)
          apply_to_model<op::count_before>(plan, i, {place, candidate}, inputs[l],
                                           {l < k ? 1.0 : 0.0}, from);
      plan.apply(op::add_where_either{}, i, {begun, place, candidate},
                 {low, high, low < high ? 0.5 : 1.0});
    }
  }
};
static_assert(aggregation_rule<geometric_median>);

}  // namespace aggregation

}  // namespace gossip
