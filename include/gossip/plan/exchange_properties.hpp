// Properties of an exchange: one aggregate, so that a misspelled property does not compile.
//
//   static constexpr gossip::exchange_properties properties() { return {.gradient_waits = false}; }
//   constexpr gossip::exchange_properties properties() const;    where it depends on a member
//
// An exchange without it has the defaults.
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <type_traits>

#include <gossip/core/described.hpp>
#include <gossip/core/error.hpp>
#include <gossip/core/member_names.hpp>
#include <gossip/mixing/arrived_weights.hpp>

namespace gossip {

/// The models that accuracy, distance, mean and export take: the nodes' or the servers'.
enum class evaluated_models : std::uint8_t { nodes, servers };

template <>
struct value_names<evaluated_models> {
  static constexpr std::array<char const *, 2> names{"nodes", "servers"};
};

/// What an exchange does with a network that changes by rounds (graph::changing).
enum class network_changes : std::uint8_t {
  refused,   ///< no run on such a network: in events no round says which graph is meant
  by_round,  ///< in rounds: topology() and what asks for neighbors mean the graph of the round
  ignored    ///< the exchange does not look at the network, and a plan that is asked for it refuses
};

/// What an exchange in rounds does in them, for what is said before a run and where it stops. A
/// round is `clients` nodes that take `steps` counted trainings each, and is never cut: a run stops
/// after the first whole round that reaches its stop. `act` is done at the end of every `period`
/// rounds, or once at the end of the first.
struct exchange_rounds {
  std::size_t clients = 0;    ///< 0: all nodes
  std::uint64_t steps = 1;    ///< counted trainings of each
  std::uint64_t period = 1;   ///< rounds from one act to the next
  char const *act = nullptr;  ///< in words, such as "outer step"; none: nothing is said
  bool once = false;          ///< the act is not repeated

  constexpr std::uint64_t trainings(std::size_t nodes) const {
    return (clients > 0 ? clients : nodes) * steps;
  }
};

/// An exchange that tolerates loss goes on without messages that are lost for good
/// (message_loss::then). One that is lost takes its time and its bytes, and its receiver waits as
/// long as for one that arrives. Then on_message is not called; a mixture has what is left of its
/// weights (mixing/arrived_weights.hpp), which mix_and_return_weights returns; two nodes that
/// exchange rows stay as they are unless both rows arrive; and plan.arriving has the terms that a
/// sum is left with. Sums over all nodes (average_all, reduce_all) send again what is lost, for any
/// exchange. Rows of others that sum_to, reductions and scalars read always arrive. A message that
/// is not sent for a node is down (outages::then) is lost too, without time and bytes.
///
/// An exchange in rounds that tolerates absence goes on without nodes that do not take part in a
/// round (virtual_clock::participation), or are late after an outage: they neither train nor step,
/// send nothing and are sent nothing, nobody waits for them, and mixtures have what is left of
/// their weights. Their rows stay as verbs for single nodes leave them; sums over all nodes have
/// theirs.
struct exchange_properties {
  bool gradient_waits = true;  ///< false: a step follows its train within one call, with nothing
                               ///< that touches the node between; saves a row
  bool replicas_identical = false;  ///< all nodes share one row; a constant of the type
  evaluated_models evaluated = evaluated_models::nodes;  ///< by observers
  bool tolerates_loss = false;                           ///< of messages
  bool tolerates_absence = false;                        ///< of nodes, from rounds
  kept_sums keeps = kept_sums::both;                     ///< of weights that are left
  bool gradients_alone = false;  ///< servers are sent gradients, never statistics of models
  bool communicates = true;   ///< false: nodes learn alone, and nobody is told that nothing is sent
  exchange_rounds rounds{};   ///< of exchanges in rounds
  std::size_t attackers = 0;  ///< the last of the nodes: neither losses nor models of theirs that
                              ///< are not finite end a run
  /// None: by_round of an exchange in rounds, refused of one in events.
  std::optional<network_changes> when_network_changes{};
};

namespace detail {

template <class X>
concept has_properties = requires(X const &x) {
  { x.properties() } -> std::same_as<exchange_properties>;
};

/// The properties that an exchange says of itself, unchecked.
template <class X>
constexpr exchange_properties said_properties(X const &x) {
  if constexpr (has_properties<X>) return x.properties();
  return {};
}

template <class X>
concept has_constant_properties =
    requires { typename std::bool_constant<X::properties().replicas_identical>; };
template <class X>
concept has_default_properties =
    requires { typename std::bool_constant<X{}.properties().replicas_identical>; };

/// Whether properties() may look at members, as at a hyper-parameter that a property follows.
template <class X>
concept looks_at_members = has_properties<X> && !has_constant_properties<X>;

/// Properties that are written as members, which nobody would ask for: of any type where the name
/// says enough, else of the property's.
template <class X>
concept writes_gradient_waits = requires { &X::gradient_waits; };
template <class X>
concept writes_replicas_identical = requires { &X::replicas_identical; };
template <class X>
concept writes_tolerates_loss = requires { &X::tolerates_loss; };
template <class X>
concept writes_tolerates_absence = requires { &X::tolerates_absence; };
template <class X>
concept writes_gradients_alone = requires { &X::gradients_alone; };
template <class X>
concept writes_communicates = requires { &X::communicates; };
template <class X>
concept writes_when_network_changes = requires { &X::when_network_changes; };
template <class X>
concept writes_evaluated = requires(X const &x) {
  { x.evaluated } -> std::convertible_to<evaluated_models>;
} || requires(X const &x) {
  { x.evaluated() } -> std::convertible_to<evaluated_models>;
};
template <class X>
concept writes_keeps = requires(X const &x) {
  { x.keeps } -> std::convertible_to<kept_sums>;
} || requires(X const &x) {
  { x.keeps() } -> std::convertible_to<kept_sums>;
};
template <class X>
concept writes_rounds = requires(X const &x) {
  { x.rounds } -> std::convertible_to<exchange_rounds>;
} || requires(X const &x) {
  { x.rounds() } -> std::convertible_to<exchange_rounds>;
};

template <class X>
constexpr void require_usable_properties() {
  static_assert(has_properties<X> || !mentions_properties<X>,
                "gossip::exchange: properties must be exchange_properties properties() const. See "
                "docs/policies/exchange.md");
  static_assert(!writes_gradient_waits<X> || looks_at_members<X>,
                "gossip::exchange: gradient_waits is a property; write static constexpr "
                "gossip::exchange_properties properties() { return {.gradient_waits = false}; }. "
                "See docs/policies/exchange.md");
  static_assert(!writes_replicas_identical<X>,
                "gossip::exchange: replicas_identical is a property; write static constexpr "
                "gossip::exchange_properties properties() { return {.replicas_identical = true}; "
                "}. See docs/policies/exchange.md");
  static_assert(!writes_tolerates_loss<X> || looks_at_members<X>,
                "gossip::exchange: tolerates_loss is a property; write static constexpr "
                "gossip::exchange_properties properties() { return {.tolerates_loss = true}; }. "
                "See docs/policies/exchange.md");
  static_assert(!writes_tolerates_absence<X> || looks_at_members<X>,
                "gossip::exchange: tolerates_absence is a property; write static constexpr "
                "gossip::exchange_properties properties() { return {.tolerates_absence = true}; }. "
                "See docs/policies/exchange.md");
  static_assert(!writes_gradients_alone<X> || looks_at_members<X>,
                "gossip::exchange: gradients_alone is a property; write static constexpr "
                "gossip::exchange_properties properties() { return {.gradients_alone = true}; }. "
                "See docs/policies/exchange.md");
  static_assert(!writes_communicates<X> || looks_at_members<X>,
                "gossip::exchange: communicates is a property; write static constexpr "
                "gossip::exchange_properties properties() { return {.communicates = false}; }. See "
                "docs/policies/exchange.md");
  static_assert(!writes_when_network_changes<X> || looks_at_members<X>,
                "gossip::exchange: when_network_changes is a property; write static constexpr "
                "gossip::exchange_properties properties() { return {.when_network_changes = "
                "gossip::network_changes::ignored}; }. See docs/policies/exchange.md");
  static_assert(!writes_evaluated<X> || looks_at_members<X>,
                "gossip::exchange: evaluated is a property; write static constexpr "
                "gossip::exchange_properties properties() { return {.evaluated = "
                "gossip::evaluated_models::servers}; }. See docs/policies/exchange.md");
  static_assert(!writes_keeps<X> || looks_at_members<X>,
                "gossip::exchange: keeps is a property; write static constexpr "
                "gossip::exchange_properties properties() { return {.keeps = "
                "gossip::kept_sums::rows}; }. See docs/policies/exchange.md");
  static_assert(!writes_rounds<X> || looks_at_members<X>,
                "gossip::exchange: rounds is a property; write static constexpr "
                "gossip::exchange_properties properties() { return {.rounds = {.steps = 5}}; }. "
                "See docs/policies/exchange.md");
}

}  // namespace detail

/// Whether all nodes hold the same model, so that one row serves them all: what properties() is,
/// where it is static constexpr, or is for an exchange of default members.
template <class X>
inline constexpr bool replicas_identical = [] {
  detail::require_usable_properties<X>();
  if constexpr (detail::has_constant_properties<X>)
    return X::properties().replicas_identical;
  else if constexpr (detail::has_default_properties<X>)
    return X{}.properties().replicas_identical;
  else
    return false;
}();

/// The properties of this exchange, all of them settled. Throws input_error where
/// replicas_identical is not that of its type, or an exchange in events goes by rounds.
template <class X>
exchange_properties properties_of(X const &x) {
  exchange_properties said = detail::said_properties(x);
  if (!said.when_network_changes)
    said.when_network_changes =
        detail::mentions_on_round<X> ? network_changes::by_round : network_changes::refused;
  if (!detail::mentions_on_round<X> && said.when_network_changes == network_changes::by_round)
    throw input_error("exchange: properties",
                      "when_network_changes refused or ignored of an exchange in events",
                      "by_round");
  if (said.replicas_identical != replicas_identical<X>)
    throw input_error("exchange: properties",
                      "replicas_identical as a constant, of static constexpr properties()",
                      said.replicas_identical ? "true where the type has false"
                                              : "false where the type has true");
  if (said.evaluated == evaluated_models::servers) {
    if constexpr (requires { X::servers; })
      if (X::servers > 0) return said;
    throw input_error("exchange: properties",
                      "static constexpr std::size_t servers where they "
                      "are evaluated",
                      "none");
  }
  return said;
}

}  // namespace gossip
