// The median of every column. D. Yin, Y. Chen, R. Kannan, P. Bartlett, "Byzantine-robust
// distributed learning: towards optimal statistical rates", ICML 2018, definition 1.
#pragma once

#include <cstddef>

#include <gossip/aggregation/aggregation.hpp>
#include <gossip/core/described.hpp>
#include <gossip/graph/graph.hpp>
#include <gossip/mixing/matrix.hpp>
#include <gossip/op/neighborhood.hpp>
#include <gossip/plan/row_name.hpp>

namespace gossip::aggregation {

/// Every number of a model becomes the median of that of the node and its neighbors, whatever their
/// weights; of an even count the mean of the two in the middle.
struct coordinate_median {
  static constexpr std::size_t rows = 0;

  void aggregate(auto &plan, mixing_matrix const &w) const {
    plan.mix_all_by(op::coordinate_median{}, model_row, w);
  }
  static void check(graph const &) {}

  static constexpr char const *name = "coordinate_median";
  static constexpr char const *meaning = "Yin et al. 2018: coordinate-wise median of the models";
  static constexpr member_list<> members() { return {}; }
};
static_assert(aggregation_rule<coordinate_median>);

}  // namespace gossip::aggregation
