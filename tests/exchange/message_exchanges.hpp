// Exchanges that use all that a plan can do with messages, servers and timers; no good for learning
// and good for tests of engines.
#pragma once

#include <gossip/plan/exchange.hpp>
#include <gossip/plan/row_name.hpp>

#include <cstdint>
#include <optional>
#include <vector>

namespace gossip::test {

/// Outside of the exchange: clang needs it whole where an std::optional of its message is a member.
struct age_of_letter {
  double age = 0;
};

/// By event: models and other rows to one and to several, sums of messages that are kept, a server
/// that steps, timers of both kinds.
struct letters {
  static constexpr std::size_t rows = 2, servers = 1;
  using message_state = age_of_letter;
  struct node_state {
    std::optional<message<message_state>> held{};
    double age = 0;
    bool asleep = false;
  };

  void on_trained(auto &plan, node i) const {
    plan.step(i);
    auto &own = plan.state(i);
    own.age += 1;
    std::vector<node> all;
    for (node const j : plan.topology().neighbors(i)) all.push_back(j);
    if (own.held)
      plan.send_to(i, all, {{0.5, model_row}, {0.25, exchange_row(0)}}, {{0.25, *own.held}},
                   {own.age});
    else
      plan.send_to(i, all, {{1, model_row}}, {}, {own.age});
    if (plan.chance(i, 0.5)) plan.send(i, plan.server(0), {{1, exchange_row(0)}});
    own.asleep = true;
    plan.set_timer(i, virtual_time(1 + 1000 * static_cast<std::int64_t>(plan.random(i) * 1e4)), i,
                   plan.chance(i, 0.5));
  }

  void on_timer(auto &plan, node i, std::uint32_t tag) const {
    plan.state(i).asleep = false;
    plan.assign(i, exchange_row(0), {{0.5, exchange_row(0)}, {tag % 2 ? 0.5 : -0.5, model_row}});
    plan.train(i);
  }

  void on_message(auto &plan, node i, auto const &m) const {
    auto &own = plan.state(i);
    if (plan.is_server(i)) {
      plan.assign(i, exchange_row(1), {}, {{1, m}});
      plan.step(i, {.gradient = exchange_row(1), .counts = false});
      plan.send(i, m.from, {{0.5, model_row}, {0.5, exchange_row(1)}});
      return;
    }
    plan.assign(i, exchange_row(1), {{0.5, exchange_row(1)}, {0.25, model_row}}, {{0.25, m}});
    if (!own.asleep) return;  // a gradient is on its way
    double const share = m.state.age / (m.state.age + own.age + 1);
    plan.assign(i, model_row, {{1 - share, model_row}}, {{share, m}});
    if (!plan.chance(i, 0.5)) return;
    if (own.held) plan.drop(*own.held);
    plan.keep(m);
    own.held = m;
  }
};

/// In rounds: trees of messages made of messages, and a server that gathers and spreads.
struct rounds_of_letters {
  static constexpr std::size_t rows = 1, servers = 2;
  struct node_state {
    std::vector<message<detail::no_state>> held{};
  };

  void on_round(auto &plan, round_number k) const {
    plan.train_all();
    plan.step_all();
    for (node i = 0; i < plan.nodes(); ++i) {
      auto &held = plan.state(i).held;
      std::vector<message_term> terms;
      for (auto const &m : held) terms.push_back({0.125, m});
      node const next = static_cast<node>((i + 1 + k) % plan.nodes());
      if (next != i) plan.send(i, next, {{0.75, model_row}}, terms);
      plan.send(i, plan.server(i % 2), {{1, model_row}, {0.5, exchange_row(0)}});
      for (auto const &m : held) plan.drop(m);
      held.clear();
    }
    plan.deliver();
    plan.send_to(plan.server(0), {0, plan.server(1)}, {{1, model_row}});
    if (plan.nodes() > 1) plan.send_to(plan.server(1), {0, 1}, {{1, exchange_row(0)}});
    plan.deliver();
  }

  void on_message(auto &plan, node i, auto const &m) const {
    if (plan.is_server(m.from)) {
      plan.assign(i, model_row, {{0.5, model_row}}, {{0.5, m}});
    } else if (plan.is_server(i)) {
      plan.assign(i, exchange_row(0), {{0.5, exchange_row(0)}}, {{0.5, m}});
      plan.assign(i, model_row, {{0.5, model_row}, {0.5, exchange_row(0)}});
    } else {
      plan.assign(i, exchange_row(0), {{0.5, exchange_row(0)}}, {{0.25, m}});
      plan.assign(i, model_row, {{0.75, model_row}, {0.25, exchange_row(0)}});
      plan.keep(m);
      plan.state(i).held.push_back(m);
    }
  }
  static constexpr exchange_properties properties() { return {.gradient_waits = false}; }
};

}  // namespace gossip::test
