// Exchanges that use all that a plan can do with functions of whole rows; for tests of engines.
#pragma once

#include <gossip/graph/graph.hpp>
#include <gossip/mixing/matrix.hpp>
#include <gossip/mixing/metropolis_hastings.hpp>
#include <gossip/op/column_table.hpp>
#include <gossip/op/function_list.hpp>
#include <gossip/op/row_reduction.hpp>
#include <gossip/op/top_k.hpp>
#include <gossip/op/whole_row.hpp>
#include <gossip/plan/exchange_properties.hpp>
#include <gossip/plan/row_name.hpp>
#include <gossip/plan/scalar_handle.hpp>

#include <cstddef>
#include <cstdint>

#include "row_exchanges.hpp"

namespace gossip::test {

// quote ranked
/// x_0 <- c_1 x_0 where its middle number is above more than c_0 of the columns of x_2; x_1 <- x_2.
struct ranked_below {
  static constexpr std::size_t rows = 3, coefficients = 2;
  static constexpr std::uint32_t reads = 0b101, writes = 0b011;

  template <class T, class Team>
  constexpr void operator()(Team const &team, std::size_t columns, double const *c,
                            T *const *x) const {
    T *const changed = x[0], *const copy = x[1], *const other = x[2];
    auto const allowed = static_cast<std::size_t>(c[0] * static_cast<double>(columns));
    T const factor = static_cast<T>(c[1]), middle = changed[columns / 2];
    std::size_t const above = team.count(columns, [=](std::size_t i) { return middle > other[i]; });
    team.each(columns, [=](std::size_t i) {
      if (above > allowed) changed[i] *= factor;
      copy[i] = other[i];
    });
  }
};
// end quote

/// By event: whole rows between writes of the same rows, of scalars, and of a neighbour's.
struct whole_rows_by_event {
  static constexpr std::size_t rows = 2;
  using functions = function_list<ranked_below>;

  void on_trained(auto &plan, node i) const {
    plan.assign(i, first, {{0.5, first}, {1, model_row}});
    plan.apply(op::top_k{}, i, {first}, {7});
    if (plan.has_neighbor(i)) {
      node const j = plan.random_neighbor(i);
      scalar const length = plan.reduce(op::squared_norm{}, i, {first});
      scalar const share = plan.compute(op::clip_factor{}, i, {length}, {0.5});
      plan.average(i, j);
      plan.apply(ranked_below{}, i, {model_row, second, first}, {share, 0.75});
      plan.apply(ranked_below{}, j, {second, first}, i, model_row, {0.25, 0.875});
      plan.average(i, j, second);
      plan.apply(op::top_k{}, j, {second}, {3});
      plan.apply(op::add_difference{}, j, {model_row, second}, i, first, {0.125, 0.125});
    }
    plan.step(i);
    plan.train(i);
  }

 private:
  static constexpr row_name first = exchange_row(0), second = exchange_row(1);
};

/// In rounds: before and behind mixtures.
struct whole_rows_in_rounds {
  static constexpr std::size_t rows = 2;
  using functions = function_list<ranked_below>;

  void on_round(auto &plan, round_number k) const {
    plan.train_all({.into = gradient});
    for (node i = 0; i < plan.nodes(); ++i)
      plan.apply(op::top_k{}, i, {gradient}, {static_cast<double>(5 + k)});
    plan.mix_all(gradient, plan.weights(k));
    for (node i = 0; i < plan.nodes(); ++i) {
      plan.apply(op::top_k{}, i, {gradient}, {9});
      plan.apply(ranked_below{}, i, {model_row, kept, gradient}, {0.5, 0.5});
    }
    plan.mix_all(plan.weights(k));
    plan.step_all({.gradient = gradient});
    plan.assign_all(model_row, {{1, model_row}, {0.125, kept}});
  }
  mixing_matrix weights(graph const &g) const { return metropolis_hastings{}.weights(g); }
  static constexpr exchange_properties properties() { return {.gradient_waits = false}; }

 private:
  static constexpr row_name gradient = exchange_row(0), kept = exchange_row(1);
};

}  // namespace gossip::test
