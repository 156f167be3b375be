// The contract of an exchange: the algorithm by which nodes train and share their models.
//
// An exchange is a copyable aggregate of hyper-parameters with one of two members:
//
//   void on_round(auto &plan, gossip::round_number k) const;    all nodes in step, once a round
//   void on_trained(auto &plan, gossip::node i) const;   each at its own pace: node i has finished
//                                                        the training it began with plan.train(i)
//
// and, optional, found with requires; one that is there and cannot be used is refused:
//
//   void on_start(auto &plan) const;        event exchanges; default: every node trains
//   struct node_state { ... };              bookkeeping a node, handed out by plan.state(i); chance
//                                           comes from plan.chance(i, p) and plan.random(i), not
//                                           from an engine in here
//   exchange_properties properties() const; its properties: plan/exchange_properties.hpp
//   static constexpr std::size_t rows = r;  it works on rows besides the model: those of the
//                                           optimizer, and r of its own a node: plan/row_name.hpp
//   using functions = function_list<...>;   functions of its own that the plan names, for devices
//                                           alone: op/function_list.hpp
//   mixing_matrix weights(graph const &) const;         what plan.weights(k) returns; or a
//                                           std::vector of them, which rounds take in turns, or
//                                           by_round<mixing_matrix>: core/by_round.hpp
//   static constexpr std::size_t servers = s;  owners of rows that train nothing: plan.server(k)
//   static constexpr std::size_t edge_rows = r;  rows of every edge of the graph, kept by the node
//                                           it leaves: plan.edge(i, j)
//   void on_message(auto &plan, node i, auto const &message) const;  a message of plan.send has
//                                           reached node i: plan/plan.hpp
//   struct message_state { ... };           bookkeeping that travels with a message: message.state
//   void on_timer(auto &plan, node i, std::uint32_t tag) const;      event exchanges: the time of
//                                           plan.set_timer has passed
//   std::size_t data_shares() const;        shares of the training data, at least one a node; what
//                                           plan.train(i, {.share = k}) names; 0: a share a node
//   auto prepare(graph const &) const;      what plan.prepared() returns, made once
//   void on_answer(auto &plan, double answer) const;   what plan.ask asked for: plan/decision.hpp
//   void check(graph const &) const;        throws input_error where it cannot work
//   std::vector<std::string> remarks(graph const &) const;    sentences that are said before a run
//
// The verbs of a plan are in plan/plan.hpp. A tiny exchange, whose nodes never talk:
//
//   struct none {
//     void on_round(auto &plan, gossip::round_number) const { plan.train_all(); plan.step_all(); }
//     static constexpr gossip::exchange_properties properties() {
//       return {.gradient_waits = false};
//     }
//   };
#pragma once

#include <concepts>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include <gossip/core/copyable.hpp>
#include <gossip/core/described.hpp>
#include <gossip/core/error.hpp>
#include <gossip/core/member_checks.hpp>
#include <gossip/core/member_names.hpp>
#include <gossip/core/node.hpp>
#include <gossip/graph/graph.hpp>
#include <gossip/mixing/weights.hpp>
#include <gossip/plan/exchange_properties.hpp>
#include <gossip/plan/message.hpp>
#include <gossip/plan/random_engine.hpp>

namespace gossip {

template <class X, class Plan>
concept plans_rounds = requires(X const &x, Plan &plan, round_number k) { x.on_round(plan, k); };

template <class X, class Plan>
concept plans_events = requires(X const &x, Plan &plan, node i) { x.on_trained(plan, i); };

/// One that plans rounds or events; whether a plan can use what it has is known where there is a
/// plan, see simulator/requirements.hpp.
template <class X>
concept exchange = copyable<X> && (detail::mentions_on_round<X> || detail::mentions_on_trained<X>);

template <class X>
concept declares_node_state = requires { typename X::node_state; };

namespace detail {

struct no_state {};

template <class X>
struct prepared_type {
  using type = no_state;
};
template <class X>
  requires requires(X const &x, graph const &g) { x.prepare(g); }
struct prepared_type<X> {
  using type = decltype(std::declval<X const &>().prepare(std::declval<graph const &>()));
};

template <class X>
struct message_state {
  using type = no_state;
};
template <class X>
  requires requires { typename X::message_state; }
struct message_state<X> {
  using type = typename X::message_state;
  static_assert(!holds_random_engine<type>,
                "gossip::exchange: message_state holds a random engine; draw numbers with "
                "plan.random(i) or plan.chance(i, p). See docs/policies/exchange.md");
};

template <class X>
struct node_state {
  using type = no_state;
};
template <declares_node_state X>
struct node_state<X> {
  using type = typename X::node_state;
  static_assert(!holds_random_engine<type>,
                "gossip::exchange: node_state holds a random engine, which would give all nodes "
                "and all seeds identical numbers; draw them with plan.random(i) or plan.chance(i, "
                "p). See docs/policies/exchange.md");
};

}  // namespace detail

/// The bookkeeping of a node that an exchange declares; empty if it declares none.
template <class X>
using node_state_of = typename detail::node_state<X>::type;

/// Whether an exchange works on rows besides the model.
template <class X>
concept declares_rows = requires {
  { X::rows } -> std::convertible_to<std::size_t>;
};

/// The rows a node that an exchange keeps of its own.
template <class X>
inline constexpr std::size_t exchange_rows = 0;
template <declares_rows X>
inline constexpr std::size_t exchange_rows<X>{X::rows};

/// Rows that an exchange declares for each edge of the graph.
template <class X>
inline constexpr std::size_t exchange_edge_rows = 0;
template <class X>
  requires std::convertible_to<decltype(X::edge_rows), std::size_t>
inline constexpr std::size_t exchange_edge_rows<X>{X::edge_rows};

/// Owners of rows beside the nodes' that an exchange declares.
template <class X>
inline constexpr std::size_t exchange_servers = 0;
template <class X>
  requires std::convertible_to<decltype(X::servers), std::size_t>
inline constexpr std::size_t exchange_servers<X>{X::servers};

/// Whether an exchange derives something of the graph beforehand.
template <class X>
concept prepares = requires(X const &x, graph const &g) { x.prepare(g); };

/// The result of its prepare(), empty if there is none.
template <class X>
using prepared_of = typename detail::prepared_type<X>::type;

/// The bookkeeping of a message; empty if an exchange declares none.
template <class X>
using message_state_of = typename detail::message_state<X>::type;

template <class X, class Plan>
concept takes_messages =
    requires(X const &x, Plan &plan, node i, message<message_state_of<X>> const &m) {
      x.on_message(plan, i, m);
    };

template <class X, class Plan>
concept takes_timers =
    requires(X const &x, Plan &plan, node i) { x.on_timer(plan, i, std::uint32_t{}); };

/// Whether an exchange has something to say before a run on a graph.
template <class X>
concept makes_remarks = requires(X const &x, graph const &g) {
  { x.remarks(g) } -> std::same_as<std::vector<std::string>>;
};

/// Whether an exchange says into how many shares training data are divided.
template <class X>
concept divides_data = requires(X const &x) {
  { x.data_shares() } -> std::same_as<std::size_t>;
};

/// Into how many shares an exchange has training data divided; 0: a share a node.
template <class X>
std::size_t data_shares_of(X const &x) {
  if constexpr (divides_data<X>)
    return x.data_shares();
  else
    return 0;
}

/// The number of shares for so many nodes. Throws input_error where a node would have none.
inline std::size_t data_shares_for(std::size_t shares, std::size_t nodes) {
  if (shares == 0) return nodes;
  if (shares < nodes)
    throw input_error("exchange: shares of the data",
                      "at least " + std::to_string(nodes) + ", one per node",
                      std::to_string(shares));
  return checked_index(shares, "exchange: shares of the data");
}

namespace detail {

/// Throws input_error for a graph that changes by rounds where the exchange refuses one.
template <class X>
void require_usable_network(X const &x, graph const &g) {
  char const *name = "exchange";
  if constexpr (requires { X::name; }) name = X::name;
  if (g.rounds() != nullptr && properties_of(x).when_network_changes == network_changes::refused)
    throw input_error(name, "a topology that is constant over all rounds",
                      "a topology that changes from round to round");
}

}  // namespace detail

/// Throws input_error where an exchange cannot work on a graph: for a member that is not within its
/// bounds, and for what its own check says.
template <class X>
void check_on(X const &x, graph const &g) {
  if constexpr (describes_itself<X>) check_members(x);
  if constexpr (requires { x.check(g); }) x.check(g);
}

/// The weights of an exchange on a graph that it checks before a run: none, or of every round.
template <class X>
by_round<mixing_matrix> weights_on(X const &x, graph const &g) {
  if constexpr (exchange<X>)
    detail::require_usable_network(x, g);  // one that holds another asks it
  check_on(x, g);
  data_shares_for(data_shares_of(x), g.nodes());
  if constexpr (has_weights<X>)
    return weights_by_round(x, g);
  else
    return {};
}

}  // namespace gossip
