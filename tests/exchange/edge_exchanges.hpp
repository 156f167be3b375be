// Exchanges that keep rows of edges, and take scalars of messages; for tests of engines.
#pragma once

#include <gossip/exchange/d_psgd.hpp>
#include <gossip/graph/graph.hpp>
#include <gossip/mixing/metropolis_hastings.hpp>
#include <gossip/op/column.hpp>
#include <gossip/op/row_reduction.hpp>
#include <gossip/op/scalar.hpp>
#include <gossip/plan/exchange.hpp>
#include <gossip/plan/row_name.hpp>
#include <gossip/plan/scalar_handle.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace gossip::test {

// quote edges
/// D-PSGD of which every node sends its model only now and then: neighbours mix what they have
/// heard last, which they keep with the edge.
struct last_heard {
  std::uint64_t period = 1;  ///< rounds from one message of a node to its next

  static constexpr std::size_t rows = 1, edge_rows = 1;

  void on_round(auto &plan, round_number k) const {
    plan.train_all();
    plan.step_all();
    for (node i = 0; i < plan.nodes(); ++i) {
      auto const near = plan.topology().neighbors(i);
      if (k < period || (k + i) % period == 0)
        plan.send_to(i, {near.begin(), near.end()}, {{1, model_row}});
    }
    plan.deliver();
    for (node i = 0; i < plan.nodes(); ++i) {
      mixing_matrix const &w = plan.weights(k);
      plan.assign(i, model_row, {{w.at(i, i), model_row}});
      for (node const j : plan.topology().neighbors(i))
        plan.add(i, model_row, {{w.at(i, j), plan.edge(i, j)}});
    }
  }

  void on_message(auto &plan, node i, auto const &m) const {
    plan.assign(plan.edge(i, m.from), {}, {{1, m}});
  }
  // end quote
  static constexpr exchange_properties properties() { return {.gradient_waits = false}; }
  mixing_matrix weights(graph const &g) const { return metropolis_hastings{}.weights(g); }
};

/// By event: two rows an edge, of one's own rows, of messages and of each other; scalars and
/// functions of columns that read them.
struct edges_by_event {
  static constexpr std::size_t rows = 1, edge_rows = 2;

  void on_trained(auto &plan, node i) const {
    plan.step(i);
    for (node const j : plan.topology().neighbors(i)) {
      plan.add(plan.edge(i, j), {{0.25, model_row}}, {{-0.5, plan.edge(i, j, 1)}});
      plan.send(i, j, {{0.5, model_row}}, {{0.125, plan.edge(i, j)}});
    }
    plan.train(i);
  }

  void on_message(auto &plan, node i, auto const &m) const {
    edge_row const own = plan.edge(i, m.from), other = plan.edge(i, m.from, 1);
    scalar const apart = plan.reduce(op::squared_distance{}, i, {model_row}, m);
    scalar const clip = plan.compute(op::clip_factor{}, i, {apart}, {0.5});
    plan.assign(i, kept, {{0.5, kept}}, {{0.25, own}, {0.25, m}});
    plan.apply(op::add_difference{}, i, {model_row, kept}, m, {0.25, clip});
    plan.assign(other, {{0.5, kept}}, {{0.5, other}});
    scalar const square = plan.reduce(op::dot_product{}, i, {kept}, own);
    scalar const share = plan.compute(op::clip_factor{}, i, {square}, {0.25});
    plan.apply(op::interpolation{}, i, {kept}, other, {share});
  }

 private:
  static constexpr row_name kept = exchange_row(0);
};

/// Clipped gossip of messages: each moves its receiver, from where it was when it stepped.
struct clipped_letters {
  double radius = 1.0;

  static constexpr std::size_t rows = 1;

  void on_round(auto &plan, round_number) const {
    plan.train_all();
    plan.step_all();
    plan.assign_all(before, {{1, model_row}});
    for (node i = 0; i < plan.nodes(); ++i) {
      auto const near = plan.topology().neighbors(i);
      plan.send_to(i, {near.begin(), near.end()}, {{1, before}});
    }
    plan.deliver();
  }

  void on_message(auto &plan, node i, auto const &m) const {
    scalar const apart = plan.reduce(op::squared_distance{}, i, {before}, m);
    scalar const clip = plan.compute(op::clip_factor{}, i, {apart}, {radius});
    double const weight = plan.weights(0).at(i, m.from);
    plan.apply(op::add_difference{}, i, {model_row, before}, m, {weight, clip});
  }

  static constexpr exchange_properties properties() { return {.gradient_waits = false}; }
  mixing_matrix weights(graph const &g) const { return metropolis_hastings{}.weights(g); }

 private:
  static constexpr row_name before = exchange_row(0);
};

}  // namespace gossip::test
