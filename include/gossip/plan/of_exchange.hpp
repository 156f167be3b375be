// The plan that the handlers of an exchange are given, with what the exchange has types of its own
// for, and refusals where it is compiled.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

#include <gossip/core/node.hpp>
#include <gossip/plan/exchange.hpp>
#include <gossip/plan/plan.hpp>

namespace gossip {

template <class Exchange>
class plan_of;

namespace detail {

/// A plan whose messages carry a state of the exchange, kept by the entry of their rows.
template <class Exchange>
class plan_with_messages : public plan {
  using state_type = message_state_of<Exchange>;

 public:
  void send(node i, node j, std::initializer_list<row_term> own,
            std::vector<message_term> const &held = {}, state_type const &state = {}) {
    require().plan::send(i, j, own, held);
    keep_state(state);
  }
  void send_to(node i, std::vector<node> const &receivers, std::initializer_list<row_term> own,
               std::vector<message_term> const &held = {}, state_type const &state = {}) {
    require().plan::send_to(i, receivers, own, held);
    keep_state(state);
  }
  void send(node i, node j, std::initializer_list<row_term> own, std::same_as<fragment> auto only,
            std::vector<message_term> const &held = {}, state_type const &state = {}) {
    require().plan::send(i, j, own, only, held);
    keep_state(state);
  }
  void send_fragments(node i, std::vector<fragment_receiver> const &receivers,
                      std::initializer_list<row_term> own,
                      std::vector<message_term> const &held = {}, state_type const &state = {}) {
    require().plan::send_fragments(i, receivers, own, held);
    keep_state(state);
  }
  void send(node i, node j, message_parts const &what, state_type const &state = {}) {
    require().plan::send(i, j, what);
    keep_state(state);
  }
  void send_to(node i, std::vector<node> const &receivers, message_parts const &what,
               state_type const &state = {}) {
    require().plan::send_to(i, receivers, what);
    keep_state(state);
  }
  void send_fragments(node i, std::vector<fragment_receiver> const &receivers,
                      message_parts const &what, state_type const &state = {}) {
    require().plan::send_fragments(i, receivers, what);
    keep_state(state);
  }
  void send(node i, node j, encoded_row const &what, state_type const &state = {}) {
    require().plan::send(i, j, what);
    keep_state(state);
  }
  void send_to(node i, std::vector<node> const &receivers, encoded_row const &what,
               state_type const &state = {}) {
    require().plan::send_to(i, receivers, what);
    keep_state(state);
  }

 protected:
  using plan::plan;

  /// A message with its state.
  message<state_type> with_state(message_header const &m) const {
    message<state_type> full;
    static_cast<message_header &>(full) = m;
    if (m.entry >= states_.size()) return full;
    kept_state const &kept = states_[m.entry];  // maybe of messages that had the entry before
    if (kept.first <= m.number && m.number < kept.end) full.state = kept.state;
    return full;
  }

 private:
  plan_with_messages &require() {
    static_assert(takes_messages<Exchange, plan_of<Exchange>>,
                  "gossip::plan: send needs an exchange with on_message(auto &plan, node i, auto "
                  "const &message) const. See docs/policies/exchange.md");
    return *this;
  }

  void keep_state(state_type const &state) {
    if constexpr (!std::same_as<state_type, no_state>) {
      auto const &[entry, first, end] = this->last_copy();
      if (first == end) return;
      if (states_.size() <= entry) states_.resize(entry + std::size_t{1});
      states_[entry] = {first, end, state};
    }
  }

  /// The state of the messages with these numbers.
  struct kept_state {
    std::uint64_t first = 0, end = 0;
    state_type state{};
  };
  std::vector<kept_state> states_;  // (entries)
};

/// A plan of identical replicas, which have no verb for the model of one node.
template <class Exchange>
class plan_of_replicas : public plan_with_messages<Exchange> {
  using rows = std::initializer_list<row_term>;
  using names = std::initializer_list<row_name>;

 public:
  void step(node, step_rows const & = {}) { refuse(); }
  void step_all(step_rows const & = {}) { refuse(); }
  void reset_optimizer(node) { refuse(); }
  void assign(node, row_name, rows, auto const &...) { refuse(); }
  void assign_all(row_name, rows, auto const &...) { refuse(); }
  void add(node, row_name, std::vector<message_term> const &, auto const &...) { refuse(); }
  void average(node, node, auto const &...) { refuse(); }
  void combine(node, node, double, auto const &...) { refuse(); }
  void mix_all(auto const &...) { refuse(); }
  void mix_all_by(auto const &...) { refuse(); }
  void mix_and_return_weights(auto const &...) { refuse(); }
  void mix_fragments(row_name, std::vector<fragment_mixture> const &, bool = false) { refuse(); }
  void average_all(auto const &...) { refuse(); }
  void sum_to(node, row_name, std::vector<node_term> const &, row_name) { refuse(); }
  void reduce(auto, node, names, auto const &...) { refuse(); }
  void apply(auto, node, names, auto const &...) { refuse(); }
  void encode(node, row_name, auto const &) { refuse(); }

 protected:
  using plan_with_messages<Exchange>::plan_with_messages;

 private:
  static constexpr void refuse() {
    static_assert(
        !replicas_identical<Exchange>,
        "gossip::plan: an exchange with identical replicas has train and reduce_all; step, "
        "average, combine and mix_all need one model per node. See docs/policies/exchange.md");
  }
};

template <class Exchange>
using plan_with_types = std::conditional_t<replicas_identical<Exchange>, plan_of_replicas<Exchange>,
                                           plan_with_messages<Exchange>>;

}  // namespace detail

/// The type of `auto &plan` in a handler of an exchange. A handler may take gossip::plan & as well,
/// which has all verbs but prepared(), state(i) and the state of messages. A verb that this class
/// refuses where the exchange is compiled is refused by gossip::plan when it is called.
template <class Exchange>
class plan_of : public detail::plan_with_types<Exchange> {
  using base = detail::plan_with_types<Exchange>;

 public:
  /// The exchange and the graph outlive the plan. weights: matrices (n, n) of the exchange on this
  /// graph; none: they are made here.
  plan_of(Exchange const &exchange, graph const &g, prepared_clock const &time,
          plan_settings const &settings, by_round<mixing_matrix> weights)
      : base(calls_of(exchange), facts_of(exchange), g, time, settings) {
    this->take_weights(weights.empty() ? weights_on(exchange, g) : std::move(weights));
    if constexpr (prepares<Exchange>) prepared_ = exchange.prepare(g);
    if constexpr (declares_node_state<Exchange>) state_.resize(this->nodes() + this->servers());
  }

  /// The result of the exchange's prepare(graph), made once.
  auto const &prepared() const {
    static_assert(
        prepares<Exchange>,
        "gossip::plan: prepared needs an exchange with auto prepare(graph const &) const. "
        "See docs/policies/exchange.md");
    return prepared_;
  }
  /// The exchange's own bookkeeping of node i.
  auto &state(node i) {
    static_assert(declares_node_state<Exchange>,
                  "gossip::plan: state needs an exchange with struct node_state. See "
                  "docs/policies/exchange.md");
    this->require_owner("state", i);
    return state_[i];
  }

  // Verbs of plan that not every exchange has --------------------------------------------------

  mixing_matrix const &weights(round_number k) const {
    static_assert(
        requires(Exchange const &x, graph const &g) { x.weights(g); },
        "gossip::plan: weights needs an exchange with mixing_matrix weights(graph const "
        "&) const. See docs/policies/exchange.md");
    return plan::weights(k);
  }
  completion average_beside(node i, node j, completion const &after = {},
                            row_name row = model_row) {
    static_assert(!in_rounds(),
                  "gossip::plan: average_beside belongs to events; in rounds in_background lets "
                  "messages travel. See docs/policies/exchange.md");
    return plan::average_beside(i, j, after, row);
  }
  template <class F>
  std::vector<completion> in_background(F f) {
    static_assert(in_rounds(),
                  "gossip::plan: in_background belongs to rounds; messages of "
                  "event exchanges travel while nodes go on. See "
                  "docs/policies/exchange.md");
    return plan::in_background(f);
  }
  void reduce_all() {
    static_assert(replicas_identical<Exchange>,
                  "gossip::plan: reduce_all needs an exchange whose properties() have "
                  "replicas_identical = true. See docs/policies/exchange.md");
    plan::reduce_all();
  }
  edge_row edge(node i, node j, std::size_t number = 0) const {
    static_assert(
        exchange_edge_rows<Exchange> > 0,
        "gossip::plan: edge needs an exchange with static constexpr std::size_t edge_rows "
        "with the number of rows of an edge. See docs/policies/exchange.md");
    return plan::edge(i, j, number);
  }
  void deliver(std::uint64_t delay = 0) {
    static_assert(
        in_rounds(),
        "gossip::plan: deliver belongs to rounds; in event exchanges on_message is called "
        "when a message arrives. See docs/policies/exchange.md");
    static_assert(takes_messages<Exchange, plan_of>,
                  "gossip::plan: deliver needs an exchange with on_message(auto &plan, node i, "
                  "auto const &message) const. See docs/policies/exchange.md");
    plan::deliver(delay);
  }
  void set_timer(node i, virtual_time delay, std::uint32_t tag = 0, bool late = false) {
    static_assert(!in_rounds(),
                  "gossip::plan: timers belong to event exchanges. See "
                  "docs/policies/exchange.md");
    static_assert(takes_timers<Exchange, plan_of>,
                  "gossip::plan: set_timer needs an exchange with on_timer(auto &plan, node i, "
                  "std::uint32_t tag) const. See docs/policies/exchange.md");
    plan::set_timer(i, delay, tag, late);
  }
  virtual_time now() const {
    static_assert(!in_rounds(),
                  "gossip::plan: now belongs to event exchanges; in rounds each node has a time of "
                  "its own. See docs/policies/exchange.md");
    return plan::now();
  }
  void ask(measured what) {
    static_assert(takes_answers<Exchange, plan_of>,
                  "gossip::plan: ask needs an exchange with on_answer(auto &plan, double answer) "
                  "const. See docs/policies/exchange.md");
    plan::ask(what);
  }

 private:
  static consteval bool in_rounds() { return plans_rounds<Exchange, plan_of>; }
  static Exchange const &value(void const *x) { return *static_cast<Exchange const *>(x); }
  static plan_of &typed(plan &p) { return static_cast<plan_of &>(p); }

  static exchange_calls calls_of(Exchange const &x) {
    static_assert(plans_rounds<Exchange, plan_of> || plans_events<Exchange, plan_of>,
                  "gossip::plan: an exchange needs on_round(auto &plan, round_number k) const or "
                  "on_trained(auto &plan, node i) const. See docs/policies/exchange.md");
    exchange_calls calls;
    calls.exchange = &x;
    if constexpr (plans_rounds<Exchange, plan_of>)
      calls.on_round = [](void const *own, plan &p, round_number k) {
        value(own).on_round(typed(p), k);
      };
    if constexpr (plans_events<Exchange, plan_of>)
      calls.on_trained = [](void const *own, plan &p, node i) {
        value(own).on_trained(typed(p), i);
      };
    if constexpr (requires(plan_of &p) { x.on_start(p); })
      calls.on_start = [](void const *own, plan &p) { value(own).on_start(typed(p)); };
    if constexpr (takes_messages<Exchange, plan_of>)
      calls.on_message = [](void const *own, plan &p, node i, message_header const &m) {
        plan_of &whole = typed(p);
        auto const full = whole.with_state(m);
        value(own).on_message(whole, i, full);
      };
    if constexpr (takes_timers<Exchange, plan_of>)
      calls.on_timer = [](void const *own, plan &p, node i, std::uint32_t tag) {
        value(own).on_timer(typed(p), i, tag);
      };
    if constexpr (takes_answers<Exchange, plan_of>)
      calls.on_answer = [](void const *own, plan &p, double answer) {
        value(own).on_answer(typed(p), answer);
      };
    calls.plan_again = [](void const *own, graph const &g, prepared_clock const &time,
                          plan_settings const &settings,
                          by_round<mixing_matrix> const &weights) -> std::unique_ptr<plan> {
      return std::make_unique<plan_of>(value(own), g, time, settings, weights);
    };
    return calls;
  }
  static exchange_facts facts_of(Exchange const &x) {
    return {properties_of(x),        replicas_identical<Exchange>, declares_rows<Exchange>,
            exchange_rows<Exchange>, exchange_servers<Exchange>,   exchange_edge_rows<Exchange>,
            data_shares_of(x)};
  }

  prepared_of<Exchange> prepared_;
  std::vector<node_state_of<Exchange>> state_;  // (n + servers)
};

}  // namespace gossip
