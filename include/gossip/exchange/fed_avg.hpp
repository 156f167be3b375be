// Federated averaging. B. McMahan, E. Moore, D. Ramage, S. Hampson, B. Aguera y Arcas,
// "Communication-efficient learning of deep networks from decentralized data", AISTATS 2017,
// Algorithm 1.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <gossip/core/described.hpp>
#include <gossip/core/error.hpp>
#include <gossip/graph/graph.hpp>
#include <gossip/plan/exchange.hpp>
#include <gossip/plan/row_name.hpp>

namespace gossip {

/// A round: the server sends its model to `clients` nodes, drawn anew; each takes `local_steps`
/// steps with a fresh optimizer; the server's model becomes the mean of theirs, by their numbers of
/// samples. The graph does not matter; accuracy and mean are those of the server's model.
struct fed_avg {
  std::size_t clients = 0;  ///< of a round; 0: all nodes
  std::size_t local_steps = 1;

  static constexpr std::size_t servers = 1;

  void on_round(auto &plan, round_number) const {
    node const server = plan.server(0);
    std::vector<node> const chosen = draw(plan, server);
    double samples = 0;
    for (node const i : chosen) samples += plan.samples(i);
    plan.send_to(server, chosen, {{1, model_row}});
    plan.deliver();
    for (std::size_t k = 0; k < local_steps; ++k)
      for (node const i : chosen) {
        plan.train(i);
        plan.step(i);
      }
    std::vector<node_term> terms;
    for (node const i : chosen) terms.push_back({i, plan.samples(i) / samples});
    plan.sum_to(server, model_row, terms, model_row);
  }

  void on_message(auto &plan, node i, auto const &m) const {
    plan.assign(i, model_row, {}, {{1, m}});
    plan.reset_optimizer(i);
  }

  static constexpr exchange_properties properties() {
    return {.gradient_waits = false, .evaluated = evaluated_models::servers};
  }
  void check(graph const &g) const {
    if (clients > g.nodes())
      throw input_error("fed_avg: clients", "at most " + std::to_string(g.nodes()) + ", all nodes",
                        std::to_string(clients));
    if (local_steps == 0) throw input_error("fed_avg: local_steps must be at least 1, got 0");
  }

  static constexpr char const *name = "fed_avg";
  static constexpr char const *meaning =
      "McMahan et al. 2017: sampled nodes take steps from a server's model";
  static constexpr auto members() {
    return std::tuple{
        described("clients", &fed_avg::clients, "of a round; 0: all nodes"),
        described("local_steps", &fed_avg::local_steps, "of a client and round", {.least = 1})};
  }

 private:
  /// The clients of a round, drawn without replacement, ascending.
  std::vector<node> draw(auto &plan, node server) const {
    std::vector<node> all(plan.nodes());
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = static_cast<node>(i);
    if (clients == 0 || clients == all.size()) return all;
    for (std::size_t k = 0; k < clients; ++k) {
      double const left = static_cast<double>(all.size() - k);
      auto const pick = k + static_cast<std::size_t>(plan.random(server) * left);
      std::swap(all[k], all[std::min(pick, all.size() - 1)]);
    }
    all.resize(clients);
    std::ranges::sort(all);
    return all;
  }
};

}  // namespace gossip
