// Exchanges that use all that a plan can do with rows besides the models. They are no good for
// learning, and good for tests of engines: every row depends on every other.
#pragma once

#include <gossip/graph/graph.hpp>
#include <gossip/mixing/matrix.hpp>
#include <gossip/mixing/metropolis_hastings.hpp>
#include <gossip/op/column.hpp>
#include <gossip/op/column_table.hpp>
#include <gossip/op/function_list.hpp>
#include <gossip/op/neighborhood.hpp>
#include <gossip/plan/exchange_properties.hpp>
#include <gossip/plan/row_name.hpp>

#include <cstddef>
#include <cstdint>

namespace gossip::test {

/// Two rows at once: x_0 <- c_0 (x_0 + x_1), x_1 <- c_1 (x_1 - x_2).
struct cross {
  static constexpr std::size_t rows = 3, coefficients = 2;
  static constexpr std::uint32_t reads = 0b111, writes = 0b011;

  template <class T>
  constexpr void operator()(T const *c, T *x) const {
    T const first = x[0];
    x[0] = c[0] * (first + x[1]);
    x[1] = c[1] * (x[1] - x[2]);
  }
};

/// By event: trainings at a row and into one, steps along one, sums of rows, a function of its own,
/// pairs of rows besides the models.
struct pairs_of_rows {
  static constexpr std::size_t rows = 3;
  using functions = function_list<cross>;

  void on_start(auto &plan) const { plan.train_all({.into = third}); }

  void on_trained(auto &plan, node i) const {
    plan.assign(i, second, {{0.5, second}, {1, third}, {-0.25, first}});
    plan.apply(cross{}, i, {first, second, model_row}, {0.5, 0.75});
    if (plan.has_neighbor(i)) {
      node const j = plan.random_neighbor(i), k = plan.random_neighbor(j);
      plan.average(i, j, first);
      plan.combine(j, k, 0.25, second);
      plan.average(i, k == i ? j : k);
    }
    plan.step(i, {.gradient = second});
    plan.train(i, {.at = i % 2 == 1 ? first : model_row, .into = third});
  }

 private:
  static constexpr row_name first = exchange_row(0), second = exchange_row(1),
                            third = exchange_row(2);
};

// quote neighborhood
/// The mean of the least and the greatest number.
struct midrange {
  template <class T>
  constexpr T operator()(neighbor_column<T> const &x) const {
    T least = x.value(0), most = x.value(0);
    for (std::size_t k = 1; k < x.entries; ++k) {
      least = x.value(k) < least ? x.value(k) : least;
      most = x.value(k) > most ? x.value(k) : most;
    }
    return (least + most) * T(0.5);
  }
};
// end quote

/// In rounds: mixtures of models and other rows, by sums, medians and a function of its own, pairs
/// of rows between them.
struct mixtures_of_rows {
  static constexpr std::size_t rows = 2;
  using functions = function_list<midrange>;

  void on_round(auto &plan, round_number k) const {
    plan.train_all({.into = exchange_row(0)});
    plan.mix_all(plan.weights(k));
    plan.assign_all(exchange_row(1), {{1, exchange_row(0)}, {0.5, exchange_row(1)}});
    plan.mix_all(exchange_row(1), plan.weights(k));
    plan.mix_all(exchange_row(0), plan.weights(k));
    plan.mix_all_by(op::coordinate_median{}, exchange_row(0), plan.weights(k));
    plan.mix_all_by(midrange{}, model_row, plan.weights(k));
    for (node i = 0; i + 1 < plan.nodes(); i += 3) plan.combine(i, i + 1, 0.5, exchange_row(1));
    plan.step_all({.gradient = exchange_row(1)});
  }
  mixing_matrix weights(graph const &g) const { return metropolis_hastings{}.weights(g); }
  static constexpr exchange_properties properties() { return {.gradient_waits = false}; }
};

}  // namespace gossip::test
