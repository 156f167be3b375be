// Outline of an exchange for a simulator before a run: from its type, or from the value that an
// exchange chosen at run time holds.
#pragma once

#include <concepts>
#include <cstddef>

#include <gossip/core/error.hpp>
#include <gossip/plan/exchange.hpp>
#include <gossip/plan/exchange_properties.hpp>
#include <gossip/plan/planner.hpp>

namespace gossip {

/// The properties of an exchange on which rows, memory and engine of a run depend.
struct exchange_outline {
  bool in_rounds = true;
  bool replicas_identical = false;
  bool gradient_waits = true;  ///< never where replicas are identical
  bool declares_rows = false;  ///< works on rows besides the model
  std::size_t rows = 0;        ///< of its own, a node
  std::size_t servers = 0;
  std::size_t data_shares = 0;  ///< 0: a share a node
  evaluated_models evaluated = evaluated_models::nodes;
  bool gradients_alone = false;
  bool communicates = true;
  exchange_rounds rounds{};
  std::size_t attackers = 0;
  network_changes when_network_changes = network_changes::by_round;

  /// Shares of the training data for so many nodes. Throws input_error where a node would have
  /// none.
  std::size_t shares_for(std::size_t nodes) const { return data_shares_for(data_shares, nodes); }
};

/// An exchange whose type hides its properties: basic_any_exchange.
template <class X>
concept erased_exchange = requires(X const &x) {
  { x.outline() } -> std::same_as<exchange_outline>;
};

/// Throws input_error where its properties are not what its type says.
template <class X>
exchange_outline outline_of_exchange(X const &x) {
  if constexpr (erased_exchange<X>) {
    return x.outline();
  } else {
    exchange_properties const said = properties_of(x);
    return {plans_rounds<X, plan_of<X>>,
            said.replicas_identical,
            said.gradient_waits && !said.replicas_identical,
            declares_rows<X>,
            exchange_rows<X>,
            exchange_servers<X>,
            data_shares_of(x),
            said.evaluated,
            said.gradients_alone,
            said.communicates,
            said.rounds,
            said.attackers,
            *said.when_network_changes};
  }
}

namespace detail {

/// Throws input_error where gradients may overflow and the exchange keeps them in rows of its own:
/// what requirements say of an exchange whose type is known.
inline void require_finite_gradients(bool scales_loss, exchange_outline const &exchange) {
  if (scales_loss && exchange.rows > 0)
    throw input_error("exchange", "gradients that cannot overflow, such as bf16",
                      "fp16 for an exchange with rows of its own");
}

}  // namespace detail

}  // namespace gossip
