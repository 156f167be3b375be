// The weighted mean of a neighborhood: gossip as in D-PSGD, which no attack has to fear.
#pragma once

#include <cstddef>

#include <gossip/aggregation/aggregation.hpp>
#include <gossip/core/described.hpp>
#include <gossip/core/node.hpp>
#include <gossip/graph/graph.hpp>
#include <gossip/mixing/matrix.hpp>
#include <gossip/op/column.hpp>
#include <gossip/plan/row_name.hpp>

namespace gossip::aggregation {

/// x_i <- sum_j w_ij x_j
struct weighted_mean {
  static constexpr std::size_t rows = 0;

  static constexpr bool reads_each() { return true; }
  void aggregate(auto &plan, mixing_matrix const &w, received_models const &from = {}) const {
    if (from.as_they_are()) return plan.mix_all(w);
    for (node i = 0; i < plan.nodes(); ++i) add_one_by_one(plan, i, w, from);
    plan.assign_all(model_row, {{1, from.row()}});
  }
  static void check(graph const &) {}

  static constexpr char const *name = "weighted_mean";
  static constexpr char const *meaning = "weighted mean of the models, by the mixing weights";
  static constexpr member_list<> members() { return {}; }

 private:
  /// The row of forged models becomes the sum; all of a node's are one and the same.
  static void add_one_by_one(auto &plan, node i, mixing_matrix const &w,
                             received_models const &from) {
    auto const [columns, weights] = w.row(i);
    double forged = 0;
    for (std::size_t k = 0; k < columns.size(); ++k)
      if (from.forged(i, columns[k])) forged += weights[k];
    plan.assign(i, from.row(), {{forged, from.row()}, {w.at(i, i), model_row}});
    for (std::size_t k = 0; k < columns.size(); ++k)
      if (columns[k] != i && !from.forged(i, columns[k]))
        plan.apply(op::add_chosen{}, i, {from.row()}, columns[k], model_row, {weights[k]});
  }
};
static_assert(aggregation_rule<weighted_mean>);

}  // namespace gossip::aggregation
