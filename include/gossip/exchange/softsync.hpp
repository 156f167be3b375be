// Staleness-aware asynchronous SGD. W. Zhang, S. Gupta, X. Lian, J. Liu, "Staleness-aware async-SGD
// for distributed deep learning", IJCAI 2016: n-softsync with learning rates by staleness.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include <gossip/core/described.hpp>
#include <gossip/exchange/parameter_server.hpp>
#include <gossip/plan/exchange.hpp>
#include <gossip/plan/row_name.hpp>

namespace gossip {

/// Nodes send gradients to a server and train on from the model that it sends back at once; it
/// steps by the mean of every `collected` gradients, each divided by its staleness where that is
/// more than 1: the steps that the server has taken since it sent the model at which the gradient
/// was taken. A step by a divided gradient is one at the divided rate for plain sgd. With one
/// collected and without dividing it is parameter_server. The graph does not matter; the optimizer
/// is the server's, and so is the model that observers look at. One row a node.
struct softsync {
  std::size_t collected = 1;  ///< gradients of a step
  bool by_staleness = true;   ///< divide
  evaluated_models evaluated = evaluated_models::servers;

  static constexpr std::size_t rows = 1, servers = 1;
  static constexpr row_name gradient = exchange_row(0);  // a node's, or the server's mean
  struct message_state {
    std::uint64_t steps = 0;  ///< of the server, behind the model
  };
  struct node_state {
    std::uint64_t steps = 0;
    std::size_t heard = 0;  ///< by the server, since its last step
  };

  void on_start(auto &plan) const { plan.train_all({.into = gradient}); }

  void on_trained(auto &plan, node i) const {
    plan.send(i, plan.server(0), {{1, gradient}}, {}, {plan.state(i).steps});
  }

  void on_message(auto &plan, node i, auto const &m) const {
    auto &own = plan.state(i);
    if (plan.is_server(i)) {
      take(plan, i, m);
      plan.send(i, m.from, {{1, model_row}}, {}, {own.steps});
    } else {
      take_parameters(plan, i, m);
      own.steps = m.state.steps;
      plan.train(i, {.into = gradient});
    }
  }
  constexpr exchange_properties properties() const {
    return {.gradient_waits = false,
            .evaluated = evaluated,
            .gradients_alone = true,
            .when_network_changes = network_changes::ignored};
  }

  static constexpr char const *name = "softsync";
  static constexpr char const *meaning =
      "Zhang et al. 2016: a server steps by the mean of a few gradients, scaled by their staleness";
  static constexpr auto members() {
    return member_list{
        described("collected", &softsync::collected, "number of gradients of a step", {.least = 1}),
        described("by_staleness", &softsync::by_staleness, "divide each gradient by its staleness"),
        described("evaluated", &softsync::evaluated, evaluated_at_server)};
  }

 private:
  void take(auto &plan, node server, auto const &m) const {
    auto &own = plan.state(server);
    auto const stale = by_staleness ? std::max<std::uint64_t>(own.steps - m.state.steps, 1) : 1;
    double const share = 1 / static_cast<double>(collected) / static_cast<double>(stale);
    if (own.heard++ == 0)
      plan.assign(server, gradient, {}, {{share, m}});
    else
      plan.add(server, gradient, {{share, m}});
    plan.count_gradients(1);
    if (own.heard < collected) return;
    plan.step(server, {.gradient = gradient, .counts = false});
    own.heard = 0;
    ++own.steps;
  }
};

static_assert(exchange<softsync>);

}  // namespace gossip
