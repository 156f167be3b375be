// Exchanges that use all that a plan can do with scalars. They are no good for learning, and good
// for tests of engines: every row depends on scalars, and scalars on every row.
#pragma once

#include <gossip/graph/graph.hpp>
#include <gossip/mixing/matrix.hpp>
#include <gossip/mixing/metropolis_hastings.hpp>
#include <gossip/op/column.hpp>
#include <gossip/op/column_table.hpp>
#include <gossip/op/function_list.hpp>
#include <gossip/op/row_reduction.hpp>
#include <gossip/op/scalar.hpp>
#include <gossip/plan/exchange_properties.hpp>
#include <gossip/plan/row_name.hpp>
#include <gossip/plan/scalar_handle.hpp>

#include <cstddef>
#include <vector>

#include "row_exchanges.hpp"

namespace gossip::test {

// quote reduction
/// sum x_0 x_1 - x_2 over the columns.
struct mixed_moment {
  static constexpr std::size_t rows = 3;

  template <class T>
  constexpr double operator()(T const *x) const {
    return static_cast<double>(x[0] * x[1] - x[2]);
  }
};

/// max (x_0 - x_1) over the columns, in the rows' own numbers.
struct furthest_above {
  static constexpr std::size_t rows = 2;
  static constexpr bool takes_largest = true;

  template <class T>
  constexpr double operator()(T const *x) const {
    return static_cast<double>(x[0] - x[1]);
  }
};

/// c_0 s_0 / (1 + |s_0| + |s_1|), below c_0.
struct bounded_share {
  static constexpr std::size_t scalars = 2, numbers = 1;

  template <class T>
  constexpr T operator()(T const *s, T const *c) const {
    auto const size = [](T x) { return x < T{0} ? -x : x; };
    return c[0] * s[0] / (T{1} + size(s[0]) + size(s[1]));
  }
};
// end quote

/// By event: scalars of one node and of pairs, of scalars, and functions of columns that take them
/// between writes of the same rows.
struct scalars_by_event {
  static constexpr std::size_t rows = 2;
  using functions = function_list<cross, mixed_moment, furthest_above, bounded_share>;

  void on_trained(auto &plan, node i) const {
    scalar const length = plan.reduce(op::squared_norm{}, i, {model_row});
    plan.assign(i, first, {{0.5, first}, {1, model_row}});
    if (plan.has_neighbor(i)) {
      node const j = plan.random_neighbor(i), k = plan.random_neighbor(j);
      scalar const moment = plan.reduce(mixed_moment{}, i, {first, model_row}, j, second);
      scalar const apart = plan.reduce(op::squared_distance{}, j, {model_row}, i, model_row);
      scalar const others = plan.reduce(op::dot_product{}, i, j, second, k, model_row);
      scalar const share = plan.compute(bounded_share{}, i, {length, moment}, {0.5});
      scalar const above = plan.reduce(furthest_above{}, i, {first}, j, second);
      scalar const width = plan.reduce(op::largest_magnitude{}, i, {first});
      scalar const wide = plan.compute(bounded_share{}, i, {above, width}, {0.125});
      scalar const again = plan.compute(bounded_share{}, i, {share, others}, {0.25});
      plan.average(i, k == i ? j : k);
      plan.apply(op::add_difference{}, i, {model_row, first}, j, second, {share, wide});
      plan.apply(cross{}, i, {first, second, model_row}, {again, 0.75});
      scalar const near = plan.compute(op::clip_factor{}, j, {apart}, {0.25});
      plan.apply(op::add_difference{}, j, {second, second}, i, model_row, {near, 0.5});
      plan.average(i, j, first);
    }
    plan.step(i);
    plan.train(i);
  }

 private:
  static constexpr row_name first = exchange_row(0), second = exchange_row(1);
};

/// In rounds: scalars before mixtures and behind them, gradients cut to a length, and more stages
/// than a level has in one of the rounds.
struct scalars_in_rounds {
  static constexpr std::size_t rows = 2;

  void on_round(auto &plan, round_number k) const {
    plan.train_all({.into = gradient});
    for (node i = 0; i < plan.nodes(); ++i) {
      scalar const square = plan.reduce(op::squared_norm{}, i, {gradient});
      scalar const cut = plan.compute(op::clip_factor{}, i, {square}, {0.5});
      plan.apply(op::linear<1>{}, i, {gradient, gradient}, {cut});
    }
    plan.mix_all(gradient, plan.weights(k));
    for (node i = 0; i + 1 < plan.nodes(); i += 2) {
      scalar dot = plan.reduce(op::dot_product{}, i, {gradient}, i + 1, model_row);
      if (k == 1)
        for (int stage = 0; stage < 300; ++stage)
          dot = plan.compute(op::scaled{}, i, {dot}, {1.001});
      scalar const share = plan.compute(op::clip_factor{}, i, {dot}, {0.125});
      plan.apply(op::add_difference{}, i, {kept, model_row}, i + 1, gradient, {share, 1});
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
