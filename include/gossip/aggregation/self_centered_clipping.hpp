// Self-centered clipping. L. He, S. P. Karimireddy, M. Jaggi, "Byzantine-robust decentralized
// learning via self-centered clipping", arXiv 2202.01545 (2022), Algorithm 1 with one radius for
// all.
#pragma once

#include <cstddef>
#include <vector>

#include <gossip/aggregation/aggregation.hpp>
#include <gossip/core/described.hpp>
#include <gossip/core/error.hpp>
#include <gossip/core/node.hpp>
#include <gossip/core/number_text.hpp>
#include <gossip/graph/graph.hpp>
#include <gossip/mixing/matrix.hpp>
#include <gossip/op/column.hpp>
#include <gossip/op/scalar.hpp>
#include <gossip/plan/row_name.hpp>
#include <gossip/plan/scalar_handle.hpp>

namespace gossip::aggregation {

/// x_i <- x_i + sum_j w_ij min(1, radius / |x_j - x_i|) (x_j - x_i): what one neighbor says moves a
/// node no further than its weight times the radius. An infinite radius is the weighted mean, up to
/// rounding; without attackers it is clipped_gossip.
struct self_centered_clipping {
  double radius = 1.0;

  static constexpr std::size_t rows = 1;

  static constexpr bool reads_each() { return true; }
  void aggregate(auto &plan, mixing_matrix const &w, received_models const &from = {}) const {
    auto const each_neighbor = [&](auto f) {
      for (node i = 0; i < plan.nodes(); ++i) {
        auto const [columns, weights] = w.row(i);
        for (std::size_t k = 0; k < columns.size(); ++k)
          if (columns[k] != i) f(i, columns[k], weights[k]);
      }
    };
    plan.assign_all(next, {{1, model_row}});
    std::vector<scalar> distances;
    each_neighbor([&](node i, node j, double) {
      distances.push_back(squared_distance(plan, i, model_row, j, from));
    });
    std::size_t arc = 0;
    each_neighbor([&](node i, node j, double weight) {
      scalar const clip = plan.compute(op::clip_factor{}, i, {distances[arc++]}, {radius});
      apply_to_model<op::add_difference>(plan, i, {next, model_row}, j, {weight, clip}, from);
    });
    plan.assign_all(model_row, {{1, next}});
  }

  void check(graph const &) const {
    if (!(radius >= 0))
      throw input_error("self_centered_clipping: radius", "0 or more", detail::shortest(radius));
  }

  static constexpr char const *name = "self_centered_clipping";
  static constexpr char const *meaning =
      "He et al. 2022: mixing step with neighbors' models clipped to a radius around the node's "
      "own";
  static constexpr auto members() {
    return member_list{described("radius", &self_centered_clipping::radius,
                                 "clipping radius around the node's own model")};
  }

 private:
  static constexpr row_name next = exchange_row(0);
};
static_assert(aggregation_rule<self_centered_clipping>);

}  // namespace gossip::aggregation
