// The trimmed mean of every column. D. Yin, Y. Chen, R. Kannan, P. Bartlett, "Byzantine-robust
// distributed learning: towards optimal statistical rates", ICML 2018, definition 2.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include <gossip/aggregation/aggregation.hpp>
#include <gossip/core/described.hpp>
#include <gossip/core/error.hpp>
#include <gossip/core/node.hpp>
#include <gossip/graph/graph.hpp>
#include <gossip/mixing/matrix.hpp>
#include <gossip/op/neighborhood.hpp>
#include <gossip/plan/row_name.hpp>

namespace gossip::aggregation {

/// Every number of a model becomes the mean of that of the node and its neighbors without the `cut`
/// smallest and the `cut` largest, whatever their weights. Every neighborhood must have 2 cut + 1.
struct trimmed_mean {
  std::uint32_t cut = 1;  ///< of each side

  static constexpr std::size_t rows = 0;

  void aggregate(auto &plan, mixing_matrix const &w) const {
    if (cut == 1) plan.mix_all_by(op::trimmed_mean<1>{}, model_row, w);
    if (cut == 2) plan.mix_all_by(op::trimmed_mean<2>{}, model_row, w);
    if (cut == 3) plan.mix_all_by(op::trimmed_mean<3>{}, model_row, w);
    if (cut == 4) plan.mix_all_by(op::trimmed_mean<4>{}, model_row, w);
  }
  void check(graph const &) const {
    if (cut < 1 || cut > 4) throw input_error("trimmed_mean: cut", "1 to 4", std::to_string(cut));
  }
  void check_neighborhood(node i, std::size_t models) const {
    if (models < 2 * std::size_t{cut} + 1)
      throw input_error("trimmed_mean: cut",
                        "at most (m - 1) / 2 in every neighborhood of m models",
                        std::to_string(cut) + " where node " + std::to_string(i) + " has " +
                            std::to_string(models));
  }

  static constexpr char const *name = "trimmed_mean";
  static constexpr char const *meaning =
      "Yin et al. 2018: coordinate-wise mean without the smallest and the largest values";
  static constexpr auto members() {
    return member_list{described("cut", &trimmed_mean::cut,
                                 "number of values that are left out at each end",
                                 {.least = 1, .most = 4})};
  }
};
static_assert(aggregation_rule<trimmed_mean>);

}  // namespace gossip::aggregation
