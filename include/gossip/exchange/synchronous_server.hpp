// Synchronous SGD with a parameter server and backup workers. J. Chen, X. Pan, R. Monga, S. Bengio,
// R. Jozefowicz, "Revisiting distributed synchronous SGD", arXiv 1604.00981 (2016).
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <gossip/core/described.hpp>
#include <gossip/core/error.hpp>
#include <gossip/exchange/parameter_server.hpp>
#include <gossip/graph/graph.hpp>
#include <gossip/plan/exchange.hpp>
#include <gossip/plan/row_name.hpp>

namespace gossip {

/// Nodes send gradients to a server, which steps by the mean of the first `wait_for` that were
/// taken at its model and then sends it to the nodes that wait for it; a gradient at an older model
/// comes too late, is thrown away, and answered with the model as it is. All nodes are waited for
/// by default: SGD of the mean gradient. The others are backups, for which nobody waits. The graph
/// does not matter; the optimizer is the server's, and so is the model that observers look at. One
/// row a node.
struct synchronous_server {
  std::size_t wait_for = 0;  ///< gradients of a step; 0: those of all nodes
  evaluated_models evaluated = evaluated_models::servers;

  static constexpr std::size_t rows = 1, servers = 1;
  static constexpr row_name gradient = exchange_row(0);  // a node's, or the server's mean
  struct message_state {
    std::uint64_t steps = 0;  ///< of the server, behind the model
  };
  struct node_state {
    std::uint64_t steps = 0;
    std::vector<node> waiting{};  ///< those whose gradients the server has
  };

  void on_start(auto &plan) const { plan.train_all({.into = gradient}); }

  void on_trained(auto &plan, node i) const {
    plan.send(i, plan.server(0), {{1, gradient}}, {}, {plan.state(i).steps});
  }

  void on_message(auto &plan, node i, auto const &m) const {
    if (plan.is_server(i)) return take(plan, i, m);
    take_parameters(plan, i, m);
    plan.state(i).steps = m.state.steps;
    plan.train(i, {.into = gradient});
  }
  constexpr exchange_properties properties() const {
    return {.gradient_waits = false,
            .evaluated = evaluated,
            .gradients_alone = true,
            .when_network_changes = network_changes::ignored};
  }
  void check(graph const &g) const {
    if (wait_for > g.nodes())
      throw input_error("synchronous_server: wait_for",
                        "at most " + std::to_string(g.nodes()) + ", all nodes",
                        std::to_string(wait_for));
  }

  static constexpr char const *name = "synchronous_server";
  static constexpr char const *meaning =
      "Chen et al. 2016: synchronous SGD with backup workers, a server steps by the mean of the "
      "first gradients";
  static constexpr auto members() {
    return member_list{described("wait_for", &synchronous_server::wait_for,
                                 "number of gradients of a step; 0: one gradient per node"),
                       described("evaluated", &synchronous_server::evaluated, evaluated_at_server)};
  }

 private:
  void take(auto &plan, node server, auto const &m) const {
    auto &own = plan.state(server);
    plan.count_gradients(1);
    if (m.state.steps < own.steps)
      return plan.send(server, m.from, {{1, model_row}}, {}, {own.steps});
    std::size_t const enough = wait_for > 0 ? wait_for : plan.nodes();
    double const share = 1 / static_cast<double>(enough);
    if (own.waiting.empty())
      plan.assign(server, gradient, {}, {{share, m}});
    else
      plan.add(server, gradient, {{share, m}});
    own.waiting.push_back(m.from);
    if (own.waiting.size() < enough) return;
    plan.step(server, {.gradient = gradient, .counts = false});
    ++own.steps;
    plan.send_to(server, own.waiting, {{1, model_row}}, {}, {own.steps});
    own.waiting.clear();
  }
};

static_assert(exchange<synchronous_server>);

}  // namespace gossip
