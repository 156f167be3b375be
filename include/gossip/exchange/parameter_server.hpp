// Asynchronous SGD with a parameter server. J. Dean et al., "Large scale distributed deep
// networks", NIPS 2012, section 4.1 (Downpour SGD, one step a gradient).
#pragma once

#include <cstddef>

#include <gossip/core/described.hpp>
#include <gossip/plan/exchange.hpp>
#include <gossip/plan/row_name.hpp>

namespace gossip {

/// The meaning of the member `evaluated` of exchanges whose server steps by gradients.
inline constexpr char const *evaluated_at_server =
    "evaluated models: the server's, or the older copies on the nodes";

// quote server
/// The model of a node becomes that of a server's message, but for statistics, of which a server
/// has none of its own.
void take_parameters(auto &plan, node i, auto const &m) {
  message_header parameters = m;
  parameters.whole = false;
  plan.assign(i, model_row, {}, {{1, parameters}});
}

/// Nodes send gradients to a server, which steps by each when it arrives and sends its model back
/// to the node, which trains on. The graph does not matter; the optimizer is the server's, and so
/// is the model that observers look at.
struct parameter_server {
  evaluated_models evaluated = evaluated_models::servers;

  static constexpr std::size_t rows = 1, servers = 1;
  static constexpr row_name gradient = exchange_row(0);

  void on_start(auto &plan) const { plan.train_all({.into = gradient}); }

  void on_trained(auto &plan, node i) const { plan.send(i, plan.server(0), {{1, gradient}}); }

  void on_message(auto &plan, node i, auto const &m) const {
    if (plan.is_server(i)) {
      plan.assign(i, gradient, {}, {{1, m}});
      plan.step(i, {.gradient = gradient});
      plan.send(i, m.from, {{1, model_row}});
    } else {
      take_parameters(plan, i, m);
      plan.train(i, {.into = gradient});
    }
  }
  constexpr exchange_properties properties() const {
    return {.gradient_waits = false,
            .evaluated = evaluated,
            .gradients_alone = true,
            .when_network_changes = network_changes::ignored};
  }

  static constexpr char const *name = "parameter_server";
  static constexpr char const *meaning =
      "Dean et al. 2012: asynchronous SGD, a server steps by each gradient when it arrives";
  static constexpr auto members() {
    return member_list{described("evaluated", &parameter_server::evaluated, evaluated_at_server)};
  }
};
// end quote

static_assert(exchange<parameter_server>);

}  // namespace gossip
