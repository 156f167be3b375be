// Krum and multi-Krum. P. Blanchard, E. M. El Mhamdi, R. Guerraoui, J. Stainer, "Machine learning
// with adversaries: Byzantine tolerant gradient descent", NIPS 2017, sections 4 and 6.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
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

/// The model of the least score of the m in a neighborhood, where a score is the sum of the m - f -
/// 2 smallest squared distances to the other models; of equal scores that of the lowest node, or
/// the mean of the `selected` of least scores (multi-Krum). Every neighborhood must have 2 f + 3
/// models, unless f is 0. O(m^2) distances and m passes over the columns a round.
struct krum {
  std::uint32_t byzantine = 1;  ///< f, in a neighborhood
  std::uint32_t selected = 1;

  static constexpr std::size_t rows = 1;

  static constexpr bool reads_each() { return true; }
  void aggregate(auto &plan, mixing_matrix const &w, received_models const &from = {}) const {
    std::vector<std::vector<scalar>> scores;
    for (node i = 0; i < plan.nodes(); ++i)
      scores.push_back(scores_of(plan, i, w.row(i).columns, from));
    for (node i = 0; i < plan.nodes(); ++i) {
      auto const inputs = w.row(i).columns;
      std::vector<coefficient> shares;
      for (std::size_t k = 0; k < inputs.size(); ++k)
        shares.push_back(plan.compute(op::share_of_least{}, i, scores[i],
                                      {static_cast<double>(k), static_cast<double>(selected)}));
      add_models(plan, i, next, inputs, shares, from);
    }
    plan.assign_all(model_row, {{1, next}});
  }

  void check(graph const &) const {
    if (selected < 1) throw input_error("krum: selected", "at least 1 model", "0");
  }
  void check_neighborhood(node i, std::size_t models) const {
    std::string const there = " where node " + std::to_string(i) + " has " + std::to_string(models);
    if (byzantine > 0 && models < 2 * std::size_t{byzantine} + 3)
      throw input_error("krum: byzantine", "at most (m - 3) / 2 in every neighborhood of m models",
                        std::to_string(byzantine) + there);
    if (selected > models)
      throw input_error("krum: selected", "at most m in every neighborhood of m models",
                        std::to_string(selected) + there);
  }

  static constexpr char const *name = "krum";
  static constexpr char const *meaning =
      "Blanchard et al. 2017: the model with the least sum of squared distances to its nearest "
      "models";
  static constexpr auto members() {
    return member_list{
        described("byzantine", &krum::byzantine,
                  "maximum number of Byzantine models in a neighborhood"),
        described("selected", &krum::selected,
                  "number of selected models, whose mean is the result", {.least = 1})};
  }

 private:
  static constexpr row_name next = exchange_row(0);

  std::vector<scalar> scores_of(auto &plan, node i, auto const &inputs,
                                received_models const &from) const {
    std::size_t const m = inputs.size();
    std::vector<std::vector<scalar>> distances(m);
    for (std::size_t k = 0; k + 1 < m; ++k)
      for (std::size_t l = k + 1; l < m; ++l) {
        scalar const apart = distance_of_models(plan, i, inputs[k], inputs[l], from);
        distances[k].push_back(apart);
        distances[l].push_back(apart);
      }
    if (m == 1) return {squared_distance(plan, i, model_row, i, from)};
    std::size_t const nearest = m > byzantine + std::size_t{3} ? m - byzantine - 2 : 1;
    std::vector<scalar> scores;
    for (std::vector<scalar> const &one : distances)
      scores.push_back(plan.compute(op::sum_of_least{}, i, one, {static_cast<double>(nearest)}));
    return scores;
  }
};
static_assert(aggregation_rule<krum>);

}  // namespace gossip::aggregation
