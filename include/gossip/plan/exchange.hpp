// The contract of an exchange: the algorithm by which nodes train and share their models.
//
// An exchange is a copyable aggregate of hyper-parameters with one of two members:
//
//   void on_round(auto &plan, gossip::round_number k) const;    all nodes in step, once a round
//   void on_trained(auto &plan, gossip::node i) const;   each at its own pace: node i has finished
//                                                        the training it began with plan.train(i)
//
// and, optional, found with requires:
//
//   void on_start(auto &plan) const;        event exchanges; default: every node trains
//   struct node_state { ... };              bookkeeping a node, handed out by plan.state(i)
//   bool gradient_waits() const;            false: a step follows its train within one call, with
//                                           nothing that touches the node between; default true
//   static constexpr bool replicas_identical = true;   all nodes share one row
//   static constexpr std::size_t rows = r;  it works on rows besides the model: those of the
//                                           optimizer, and r of its own a node, see
//                                           plan/row_name.hpp
//   using functions = column_functions<...>;           what plan.apply may name, see op/column.hpp
//   mixing_matrix weights(graph const &) const;        what plan.weights(k) returns; or a
//                                           std::vector of them, which rounds take in turns
//   void check(graph const &) const;        throws input_error where it cannot work
//
// What a plan offers is listed in plan/planner.hpp. A tiny model, nodes that never talk:
//
//   struct none {
//     void on_round(auto &plan, gossip::round_number) const { plan.train_all(); plan.step_all(); }
//     static constexpr bool gradient_waits() { return false; }
//   };
#pragma once

#include <concepts>
#include <type_traits>
#include <utility>
#include <vector>

#include <gossip/core/node.hpp>
#include <gossip/graph/graph.hpp>
#include <gossip/graph/mixing_matrix.hpp>

namespace gossip {

template <class X, class Plan>
concept plans_rounds = requires(X const &x, Plan &plan, round_number k) {
  x.on_round(plan, k);
};

template <class X, class Plan>
concept plans_events = requires(X const &x, Plan &plan, node i) {
  x.on_trained(plan, i);
};

template <class X>
concept declares_node_state = requires {
  typename X::node_state;
};

namespace detail {

struct no_state {};

template <class X>
struct node_state {
  using type = no_state;
};
template <declares_node_state X>
struct node_state<X> {
  using type = typename X::node_state;
};

}  // namespace detail

/// The bookkeeping of a node that an exchange declares; empty if it declares none.
template <class X>
using node_state_of = typename detail::node_state<X>::type;

/// Whether a gradient may wait between its train and its step.
template <class X>
constexpr bool gradient_waits(X const &x) {
  if constexpr (requires { x.gradient_waits(); })
    return x.gradient_waits();
  else
    return true;
}

/// Whether an exchange works on rows besides the model.
template <class X>
concept declares_rows = requires {
  { X::rows } -> std::convertible_to<std::size_t>;
};

/// The rows a node that an exchange keeps of its own.
template <class X>
inline constexpr std::size_t exchange_rows = [] {
  if constexpr (declares_rows<X>)
    return std::size_t{X::rows};
  else
    return std::size_t{0};
}();

/// What an exchange makes of a graph before a run: it checks it, and may have weights for it, one
/// matrix or several that rounds take in turns.
template <class X>
std::vector<mixing_matrix> weights_on(X const &x, graph const &g) {
  if constexpr (requires { x.check(g); }) x.check(g);
  if constexpr (requires {
                  { x.weights(g) } -> std::same_as<mixing_matrix>;
                })
    return {x.weights(g)};
  else if constexpr (requires { x.weights(g); })
    return x.weights(g);
  else
    return {};
}

/// Whether all nodes hold the same model, so that one row serves them all.
template <class X>
inline constexpr bool replicas_identical = [] {
  if constexpr (requires { X::replicas_identical; })
    return X::replicas_identical;
  else
    return false;
}();

}  // namespace gossip
