// Exchanges of fragments of rows, and of messages of several rows; for tests of engines.
#pragma once

#include <gossip/graph/graph.hpp>
#include <gossip/mixing/matrix.hpp>
#include <gossip/mixing/metropolis_hastings.hpp>
#include <gossip/op/column.hpp>
#include <gossip/op/row_reduction.hpp>
#include <gossip/op/scalar.hpp>
#include <gossip/plan/exchange.hpp>
#include <gossip/plan/fragment.hpp>
#include <gossip/plan/message.hpp>
#include <gossip/plan/row_name.hpp>
#include <gossip/plan/scalar_handle.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace gossip::test {

// quote fragments
/// Every node cuts its model into as many fragments as it has neighbours and sends one to each, in
/// every round another; who receives one averages those columns.
struct fragment_gossip {
  void on_round(auto &plan, round_number k) const {
    plan.train_all();
    plan.step_all();
    for (node i = 0; i < plan.nodes(); ++i) {
      auto const near = plan.topology().neighbors(i);
      std::size_t const n = std::min(near.size(), plan.columns());
      std::vector<fragment_receiver> receivers;
      for (std::size_t l = 0; l < n; ++l)
        receivers.push_back({near[(l + k) % near.size()], plan.fragment_of(l, n)});
      plan.send_fragments(i, receivers, {{1, model_row}});
    }
    plan.deliver();
  }

  void on_message(auto &plan, node i, auto const &m) const {
    plan.assign(i, model_row, {{0.5, model_row}}, {{0.5, m}});  // on the columns of m
  }
  // end quote
  static constexpr exchange_properties properties() { return {.gradient_waits = false}; }
};

/// Halves of models and of a row besides them, each mixed by another matrix; of the row a third
/// becomes the mean of all, which travels while nodes go on.
struct mixtures_of_fragments {
  static constexpr std::size_t rows = 1;
  static constexpr row_name kept = exchange_row(0);

  void on_round(auto &plan, round_number k) const {
    plan.train_all();
    plan.step_all();
    std::size_t const d = plan.columns(), halves = std::min<std::size_t>(2, d);
    mixing_matrix const &w = plan.weights(k), lazier = lazy(w);
    auto const part = [&](std::size_t l) { return plan.fragment_of(l % halves, halves); };
    plan.assign_all(kept, {{0.5, kept}, {1, model_row}});
    plan.mix_fragments(model_row, {{w, part(k)}, {lazier, part(k + 1)}});
    auto const done = plan.in_background(
        [&] { plan.average_all(kept, plan.fragment_of(0, std::min<std::size_t>(3, d))); });
    plan.mix_fragments(kept, {{lazier, part(0)}});
    for (node i = 0; i < plan.nodes(); ++i) plan.wait_until(i, done[i]);
    plan.assign_all(model_row, {{0.75, model_row}, {0.125, kept}}, part(k));
  }
  static mixing_matrix weights(graph const &g) { return metropolis_hastings{}.weights(g); }
  static constexpr exchange_properties properties() { return {.gradient_waits = false}; }
};

/// Push-sum of the models and of their sums over the rounds: node i keeps half of both, and of a
/// weight, and sends the other halves to the next node as one message.
struct push_sum_of_two {
  static constexpr std::size_t rows = 2;
  static constexpr row_name past = exchange_row(0), estimate = exchange_row(1);
  struct node_state {
    double weight = 1;
  };
  struct message_state {
    double weight = 0;
  };

  void on_round(auto &plan, round_number k) const {
    plan.train_all();
    plan.step_all();
    plan.assign_all(past, {{1, past}, {1, model_row}});
    node const n = static_cast<node>(plan.nodes());
    for (node i = 0; n > 1 && i < n; ++i) {
      double const kept = plan.state(i).weight *= 0.5;
      node const next = static_cast<node>((i + 1 + k % (n - 1)) % n);
      plan.send(i, next, message_parts{{{0.5, model_row}}, {{0.5, past}}}, {kept});
      plan.assign(i, model_row, {{0.5, model_row}});
      plan.assign(i, past, {{0.5, past}});
    }
    plan.deliver();
    for (node i = 0; i < n; ++i) plan.assign(i, estimate, {{1 / plan.state(i).weight, model_row}});
  }

  void on_message(auto &plan, node i, auto const &m) const {
    plan.state(i).weight += m.state.weight;
    plan.add(i, model_row, {{1, m}});
    plan.add(i, past, {{1, m.part(1)}});
  }
  static constexpr exchange_properties properties() { return {.gradient_waits = false}; }
};

/// By event, all verbs that take fragments: of rows of a node, of two, of messages of several rows
/// that are kept and sent on, of edges and of a server; with scalars too.
struct fragments_by_event {
  static constexpr std::size_t rows = 2, edge_rows = 1, servers = 1;
  struct node_state {
    std::optional<message<detail::no_state>> held{};
    std::uint64_t count = 0;
  };

  void on_trained(auto &plan, node i) const {
    plan.step(i);
    auto &own = plan.state(i);
    std::size_t const n = std::min<std::size_t>(3, plan.columns());
    auto const part = [&](std::size_t k) { return plan.fragment_of((own.count + k) % n, n); };
    ++own.count;
    plan.assign(i, kept, {{0.5, kept}, {0.25, model_row}}, part(1));
    if (plan.has_neighbor(i)) {
      node const j = plan.random_neighbor(i);
      plan.average(i, j, model_row, part(0));
      plan.combine(i, j, 0.25, kept, part(2));
      scalar const apart = plan.reduce(op::squared_distance{}, i, {model_row}, j, kept);
      scalar const clip = plan.compute(op::clip_factor{}, i, {apart}, {0.5});
      plan.apply(op::add_difference{}, i, {kept, model_row}, j, model_row, {0.25, clip}, part(1));
      plan.apply(op::interpolation{}, i, {kept, model_row}, {clip}, part(2));
      if (own.held) {
        plan.send(i, j, {{0.5, model_row}}, {{0.25, own.held->part(1)}});
        plan.drop(*own.held);
        own.held.reset();
      } else {
        message_part const first{{1, model_row}}, second({{0.5, kept}}, {{0.5, plan.edge(i, j)}});
        plan.send_fragments(i, {{j, part(1)}, {plan.server(0), part(2)}},
                            message_parts{first, second});
      }
      plan.send(i, plan.server(0), message_parts{{{1, kept}}, {{0.5, model_row}}});
    }
    plan.train(i);
  }

  void on_message(auto &plan, node i, auto const &m) const {
    std::size_t const last = m.parts - 1U;
    plan.add(i, kept, {{0.125, m}, {0.125, m.part(last)}});
    if (plan.is_server(i)) {
      plan.assign(i, model_row, {{0.75, model_row}}, {{0.25, m.part(last)}});
      if (m.columns.is_every()) plan.send(i, m.from, {{1, model_row}}, plan.fragment_of(0, 1));
      return;
    }
    plan.apply(op::interpolation{}, i, {kept}, m, {0.5});
    if (plan.is_server(m.from)) {
      fragment const half{m.columns.first, (m.columns.count + 1) / 2};
      plan.assign(i, kept, {}, {{0.25, m}}, half);
      return;
    }
    plan.add(plan.edge(i, m.from), {{0.25, model_row}}, {{0.25, m.part(last)}});
    if (m.parts == 1 || plan.state(i).held) return;
    plan.keep(m);
    plan.state(i).held = m;
  }

 private:
  static constexpr row_name kept = exchange_row(0);
};

}  // namespace gossip::test
