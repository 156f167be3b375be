// Federated averaging. B. McMahan, E. Moore, D. Ramage, S. Hampson, B. Aguera y Arcas,
// "Communication-efficient learning of deep networks from decentralized data", AISTATS 2017,
// Algorithm 1.
#pragma once

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <gossip/core/described.hpp>
#include <gossip/core/error.hpp>
#include <gossip/core/random_nodes.hpp>
#include <gossip/graph/graph.hpp>
#include <gossip/plan/exchange.hpp>
#include <gossip/plan/planned_rows.hpp>
#include <gossip/plan/row_name.hpp>

namespace gossip {

/// Clients of a round, so many of those that take part in it, or all of them where there are fewer,
/// drawn by a server without replacement; ascending.
std::vector<node> draw_clients(auto &plan, node server, std::size_t count) {
  std::size_t all = plan.data_shares();
  std::vector<node> present;  // where some are absent
  if (!plan.all_take_part()) {
    for (node i = 0; i < all; ++i)
      if (plan.takes_part(i)) present.push_back(i);
    all = present.size();
    if (count >= all) return present;
  }
  std::vector<node> chosen(count);
  std::iota(chosen.begin(), chosen.end(), node{0});
  if (count == all) return chosen;
  chosen = random_nodes(all, count, [&] { return plan.random(server); });
  std::ranges::sort(chosen);
  if (!present.empty())
    for (node &i : chosen) i = present[i];
  return chosen;
}

/// A round: the server sends its model to `clients` clients, drawn anew; each takes `local_steps`
/// steps with a fresh optimizer; the server's model becomes the mean of theirs, by their numbers of
/// samples. Every node is a client; or, with a population, that many clients have a share of the
/// data each, and nodes are where those of a round are at work, the k-th of them on node k. The
/// graph does not matter; accuracy and mean are those of the server's model. A client that a
/// message does not reach, or whose model is lost, is left out of the round; so is one that takes
/// no part in it, and servers draw among the others.
struct fed_avg {
  std::size_t clients = 0;  ///< of a round; 0: as many as there are nodes
  std::size_t local_steps = 1;
  std::size_t population = 0;  ///< clients in all, who have no rows but at work; 0: the nodes

  static constexpr std::size_t servers = 1;
  struct node_state {
    bool reached = false;  ///< in this round, by the server's model; of a server, by a client's
  };

  void on_round(auto &plan, round_number) const {
    round_by(plan, [&](node i, training_rows const &at) {
      plan.train(i, at);
      plan.step(i);
    });
  }

  void on_message(auto &plan, node i, auto const &m) const {
    plan.state(i).reached = true;
    plan.assign(i, model_row, {}, {{1, m}});
    plan.reset_optimizer(i);
  }

  constexpr exchange_properties properties() const {
    return {.gradient_waits = false,
            .evaluated = evaluated_models::servers,
            .tolerates_loss = true,
            .tolerates_absence = true,
            .rounds = {.clients = clients, .steps = local_steps},
            .when_network_changes = network_changes::ignored};
  }
  std::size_t data_shares() const { return population; }
  void check(graph const &g) const {
    if (clients > g.nodes())
      throw input_error("fed_avg: clients", "at most " + std::to_string(g.nodes()) + ", all nodes",
                        std::to_string(clients));
  }

  static constexpr char const *name = "fed_avg";
  static constexpr char const *meaning =
      "McMahan et al. 2017: sampled clients take local steps, then the server takes the mean of "
      "their models";
  static constexpr auto members() {
    return member_list{described("clients", &fed_avg::clients,
                                 "number of sampled clients of a round; 0: the number of nodes"),
                       described("local_steps", &fed_avg::local_steps,
                                 "number of local steps of a client in a round", {.least = 1}),
                       described("population", &fed_avg::population,
                                 "number of clients in total; 0: the number of nodes")};
  }

 protected:
  /// A round of which a local step is step(node, training).
  void round_by(auto &plan, auto step) const {
    node const server = plan.server(0);
    std::vector<node> const chosen =
        draw_clients(plan, server, clients > 0 ? clients : plan.nodes());
    std::vector<node> at_work = chosen;
    if (population > 0) std::iota(at_work.begin(), at_work.end(), node{0});
    for (node const i : at_work) plan.state(i).reached = false;
    plan.send_to(server, at_work, {{1, model_row}});
    plan.deliver();
    for (std::size_t taken = 0; taken < local_steps; ++taken)
      for (std::size_t k = 0; k < chosen.size(); ++k)
        if (plan.state(at_work[k]).reached)
          step(at_work[k], {.share = population > 0 ? std::optional(chosen[k]) : std::nullopt});
    std::vector<node_term> terms;
    for (std::size_t k = 0; k < chosen.size(); ++k)
      if (plan.state(at_work[k]).reached) terms.push_back({at_work[k], plan.samples(chosen[k])});
    terms = plan.arriving(server, std::move(terms), model_row);
    double samples = 0;
    for (node_term const &client : terms) samples += client.weight;
    for (node_term &client : terms) client.weight /= samples;
    plan.state(server).reached = !terms.empty();
    if (!terms.empty()) plan.sum_to(server, model_row, terms, model_row);
  }
};

static_assert(exchange<fed_avg>);

}  // namespace gossip
