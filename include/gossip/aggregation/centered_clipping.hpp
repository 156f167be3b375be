// Centered clipping. S. P. Karimireddy, L. He, M. Jaggi, "Learning from history for Byzantine
// robust optimization", ICML 2021, Algorithm 2, from the node's own model.
#pragma once

#include <cstddef>
#include <cstdint>
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

/// v, at first the node's own model, becomes v + (1 / m) sum_j min(1, radius / |x_j - v|) (x_j - v)
/// over the m models of a neighborhood, `iterations` times. Weights do not matter; with an infinite
/// radius it is their mean.
struct centered_clipping {
  double radius = 1.0;
  std::uint32_t iterations = 1;

  static constexpr std::size_t rows = 2;

  static constexpr bool reads_each() { return true; }
  void aggregate(auto &plan, mixing_matrix const &w, received_models const &from = {}) const {
    plan.assign_all(center, {{1, model_row}});
    plan.assign_all(next, {{1, model_row}});
    for (std::uint32_t turn = 0; turn < iterations; ++turn) {
      std::vector<std::vector<scalar>> clips(plan.nodes());
      for (node i = 0; i < plan.nodes(); ++i)
        for (node const j : w.row(i).columns)
          clips[i].push_back(plan.compute(op::clip_factor{}, i,
                                          {squared_distance(plan, i, center, j, from)}, {radius}));
      for (node i = 0; i < plan.nodes(); ++i) move(plan, i, w.row(i).columns, clips[i], from);
      for (node i = 0; i < plan.nodes(); ++i)  // a function of columns: models received stay
        plan.apply(op::linear<1>{}, i, {center, next}, {1.0});
    }
    plan.assign_all(model_row, {{1, center}});
  }

  void check(graph const &) const {
    if (!(radius >= 0))
      throw input_error("centered_clipping: radius", "0 or more", detail::shortest(radius));
    if (iterations < 1) throw input_error("centered_clipping: iterations", "at least 1", "0");
  }

  static constexpr char const *name = "centered_clipping";
  static constexpr char const *meaning =
      "Karimireddy et al. 2021: mean of models, each clipped to a radius around a center";
  static constexpr auto members() {
    return member_list{
        described("radius", &centered_clipping::radius, "clipping radius around the center"),
        described("iterations", &centered_clipping::iterations,
                  "number of iterations of the center", {.least = 1})};
  }

 private:
  static constexpr row_name center = exchange_row(0), next = exchange_row(1);

  static void move(auto &plan, node i, auto const &inputs, std::vector<scalar> const &clips,
                   received_models const &from) {
    double const share = 1 / static_cast<double>(inputs.size());
    for (std::size_t k = 0; k < inputs.size(); ++k)
      apply_to_model<op::add_difference>(plan, i, {next, center}, inputs[k], {share, clips[k]},
                                         from);
  }
};
static_assert(aggregation_rule<centered_clipping>);

}  // namespace gossip::aggregation
