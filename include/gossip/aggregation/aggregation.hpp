// The contract of an aggregation rule: what a node makes of its own model and those of its
// neighbors, some of which may be wrong.
//
// A rule is a copyable aggregate of hyper-parameters with
//
//   static constexpr std::size_t rows = r;
//       rows of a node that it may write, exchange_row(0) to exchange_row(r - 1)
//   void aggregate(auto &plan, mixing_matrix const &w) const;
//       the model of every node i becomes a function of those of the nodes in row i of w, which has
//       i itself; of all at once, by what models were before
//   void check(graph const &g) const;
//       throws input_error where it cannot work
//
// and, optional,
//
//   void check_neighborhood(node i, std::size_t models) const;
//       throws input_error where it cannot work on the models of node i and its neighbors: asked of
//       every row of every matrix w
//
// One that reads models one by one stands attackers who send each receiver another model. It says
//
//   static constexpr bool reads_each() { return true; }
//
// and its aggregate takes a third argument, received_models const &from, by default all as they
// are: where node i finds the model of node j is from.of(i, j).
//
// robust_gossip (exchange/robust_gossip.hpp) is an exchange with such a rule.
#pragma once

#include <algorithm>
#include <array>
#include <concepts>
#include <cstddef>
#include <vector>

#include <gossip/core/by_round.hpp>
#include <gossip/core/copyable.hpp>
#include <gossip/core/node.hpp>
#include <gossip/graph/graph.hpp>
#include <gossip/mixing/matrix.hpp>
#include <gossip/op/column.hpp>
#include <gossip/op/row_reduction.hpp>
#include <gossip/plan/row_name.hpp>
#include <gossip/plan/scalar_handle.hpp>

namespace gossip {

template <class R>
concept aggregation_rule = copyable<R> && requires(R const &rule, graph const &g) {
  { R::rows } -> std::convertible_to<std::size_t>;
  rule.check(g);
};

/// Places of the models that nodes receive: rows of the nodes themselves, or, where attackers send
/// each receiver another model, a row of the receiver.
class received_models {
 public:
  struct place {
    node owner;
    row_name row;
  };

  received_models() = default;
  /// Models of attackers in a network of so many nodes are in `row` of each honest receiver.
  received_models(std::size_t nodes, std::vector<node> const &attackers, row_name row)
      : attacks_(nodes, false), row_(row) {
    for (node const b : attackers) attacks_[b] = true;
  }

  /// True if every model is a row of its own node.
  bool as_they_are() const { return attacks_.empty(); }
  /// True if node i receives a forged model in the place of that of node j.
  bool forged(node i, node j) const { return !as_they_are() && attacks_[j] && !attacks_[i]; }
  place of(node i, node j) const { return forged(i, j) ? place{i, row_} : place{j, model_row}; }
  row_name row() const { return row_; }

 private:
  std::vector<bool> attacks_;  // (n), or none
  row_name row_;
};

namespace aggregation {

/// The answer of a rule's reads_each(); false without one.
template <class Rule>
constexpr bool reads_each(Rule const &rule) {
  if constexpr (requires { rule.reads_each(); })
    return rule.reads_each();
  else
    return false;
}

/// Throws input_error where a rule cannot work on a neighborhood of one of these matrices.
template <class Rule>
void check_neighborhoods(Rule const &rule, by_round<mixing_matrix> const &weights) {
  if constexpr (requires { rule.check_neighborhood(node{}, std::size_t{}); })
    for (mixing_matrix const &w : weights.values())
      for (std::size_t i = 0; i < w.rows(); ++i)
        rule.check_neighborhood(static_cast<node>(i), w.row(i).columns.size());
}

/// rule.aggregate, of models as they are where it reads them all at once.
void aggregate_by(auto const &rule, auto &plan, mixing_matrix const &w,
                  received_models const &from) {
  if constexpr (requires { rule.aggregate(plan, w, from); })
    rule.aggregate(plan, w, from);
  else
    rule.aggregate(plan, w);
}

/// The scalar |row of i - model of j|^2, where j may be i itself.
scalar squared_distance(auto &plan, node i, row_name row, node j, received_models const &from) {
  auto const [owner, model] = from.of(i, j);
  if (owner == i) return plan.reduce(op::squared_distance{}, i, {row, model});
  return plan.reduce(op::squared_distance{}, i, {row}, owner, model);
}

/// The scalar |model of j - model of l|^2 at node i, which may be one of them.
scalar distance_of_models(auto &plan, node i, node j, node l, received_models const &from) {
  auto const [first, row] = from.of(i, j);
  auto const [second, other] = from.of(i, l);
  if (first == second) return plan.reduce(op::squared_distance{}, i, {row, other});
  return plan.reduce(op::squared_distance{}, i, first, row, second, other);
}

/// plan.apply of a column function at node i, whose last row is the model of j that i receives.
template <class F>
void apply_to_model(auto &plan, node i, std::array<row_name, F::rows - 1> const &rows, node j,
                    std::array<coefficient, F::coefficients> const &given,
                    received_models const &from) {
  auto const [owner, model] = from.of(i, j);
  if (owner != i) return plan.apply(F{}, i, rows, owner, model, given);
  std::array<row_name, F::rows> all;
  std::ranges::copy(rows, all.begin());
  all.back() = model;
  plan.apply(F{}, i, all, given);
}

/// A row of i becomes the sum of coefficients times models of the nodes (inputs), i's own among
/// them; where a coefficient is 0 nothing is added.
template <class Coefficients>
void add_models(auto &plan, node i, row_name to, auto const &inputs, Coefficients const &given,
                received_models const &from) {
  plan.apply(op::clear{}, i, {to});
  for (std::size_t k = 0; k < inputs.size(); ++k)
    apply_to_model<op::add_chosen>(plan, i, {to}, inputs[k], {given[k]}, from);
}

}  // namespace aggregation

}  // namespace gossip
