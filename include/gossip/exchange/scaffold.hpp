// SCAFFOLD. S. P. Karimireddy, S. Kale, M. Mohri, S. J. Reddi, S. U. Stich, A. T. Suresh,
// "SCAFFOLD: stochastic controlled averaging for federated learning", ICML 2020, Algorithm 1.
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <vector>

#include <gossip/core/described.hpp>
#include <gossip/core/error.hpp>
#include <gossip/exchange/fed_avg.hpp>
#include <gossip/graph/graph.hpp>
#include <gossip/plan/exchange.hpp>
#include <gossip/plan/row_name.hpp>

namespace gossip {

/// A client's new control: its gradient at the server's model, option I of the paper, or the mean
/// of its local gradients, option II.
enum class client_control { gradient, mean_step };

template <>
struct value_names<client_control> {
  static constexpr std::array<char const *, 2> names{"gradient", "mean_step"};
};

/// The server sends x and c to `clients` of the nodes, drawn anew; each takes K = `local_steps`
/// steps y <- y - rate (g(y) - c_i + c) from y = x with a fresh optimizer, then
/// c_i <- c_i - c + (x - y) / (K rate), or its first gradient, that at x; the server takes
/// x <- x + server_rate mean (y - x), and c the change of c_i of all nodes, by number. Controls are
/// 0 at first. What clients differ by does not move the minimum. For plain sgd; the graph does not
/// matter. Four rows a node, messages of two models.
struct scaffold {
  std::size_t clients = 0;  ///< of a round; 0: all nodes
  std::size_t local_steps = 4;
  client_control control = client_control::mean_step;
  double server_rate = 1.0;

  static constexpr std::size_t rows = 4, servers = 1;

  void on_round(auto &plan, round_number) const {
    node const server = plan.server(0);
    std::vector<node> const chosen =
        draw_clients(plan, server, clients > 0 ? clients : plan.nodes());
    plan.send_to(server, chosen, message_parts{{{1, model_row}}, {{1, common}}});
    plan.deliver();
    for (std::size_t taken = 0; taken < local_steps; ++taken)
      for (node const i : chosen) step(plan, i, taken == 0);
    auto const share = 1 / static_cast<double>(chosen.size());
    std::vector<node_term> models, changes;
    for (node const i : chosen) {
      change_control(plan, i);
      models.push_back({i, share});
      changes.push_back({i, 1 / static_cast<double>(plan.nodes())});
    }
    plan.assign(server, kept, {{1, model_row}});
    plan.sum_to(server, model_row, models, model_row);
    plan.assign(server, model_row, {{1 - server_rate, kept}, {server_rate, model_row}});
    plan.sum_to(server, direction, changes, direction);
    plan.assign(server, common, {{1, common}, {1, direction}});
  }

  void on_message(auto &plan, node i, auto const &m) const {
    plan.assign(i, model_row, {}, {{1, m}});
    plan.assign(i, common, {}, {{1, m.part(1)}});
    if (control == client_control::mean_step) plan.assign(i, kept, {{1, model_row}});
    plan.reset_optimizer(i);
  }

  constexpr exchange_properties properties() const {
    return {.gradient_waits = false,
            .evaluated = evaluated_models::servers,
            .rounds = {.clients = clients, .steps = local_steps},
            .when_network_changes = network_changes::ignored};
  }
  void check(graph const &g) const {
    if (clients > g.nodes())
      throw input_error("scaffold: clients", "at most " + std::to_string(g.nodes()) + ", all nodes",
                        std::to_string(clients));
  }

  static constexpr char const *name = "scaffold";
  static constexpr char const *meaning =
      "Karimireddy et al. 2020: federated averaging with control variates for heterogeneous data";
  static constexpr auto members() {
    return member_list{
        described("clients", &scaffold::clients,
                  "number of sampled clients of a round; 0: all nodes"),
        described("local_steps", &scaffold::local_steps,
                  "number of local steps of a client in a round", {.least = 1}),
        described("control", &scaffold::control,
                  "control variate of a client: gradient (option I) or mean_step (option II)"),
        described("server_rate", &scaffold::server_rate, "learning rate of the server",
                  {.most = 1e6})};
  }

 private:
  // c_i, c, what a client has kept of its start, x or g(x), and a gradient, then a change of c_i.
  static constexpr row_name own = exchange_row(0), common = exchange_row(1), kept = exchange_row(2),
                            direction = exchange_row(3);

  void step(auto &plan, node i, bool first) const {
    plan.train(i, {.into = direction});
    if (first && control == client_control::gradient) plan.assign(i, kept, {{1, direction}});
    plan.assign(i, direction, {{1, direction}, {-1, own}, {1, common}});
    plan.step(i, {.gradient = direction});
  }

  void change_control(auto &plan, node i) const {
    double const rate = plan.rate() * static_cast<double>(local_steps);
    double const share = rate > 0 ? 1 / rate : 0;
    if (control == client_control::gradient)
      plan.assign(i, direction, {{1, kept}, {-1, own}});
    else
      plan.assign(i, direction, {{share, kept}, {-share, model_row}, {-1, common}});
    plan.assign(i, own, {{1, own}, {1, direction}});
  }
};

static_assert(exchange<scaffold>);

}  // namespace gossip
