// Push-sum as an exchange of one's own: nodes send shares of what they have to whom they reach, and
// divide by what became of a 1. M. Assran, N. Loizou, N. Ballas, M. Rabbat, "Stochastic gradient
// push for distributed deep learning", ICML 2019, Algorithm 1.
#pragma once

#include <gossip/graph/graph.hpp>
#include <gossip/mixing/matrix.hpp>
#include <gossip/plan/exchange.hpp>
#include <gossip/plan/row_name.hpp>

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

namespace gossip::test {

/// x <- x - rate d(z), x <- P x, w <- P w, z = x / w; the model is x, z is a row of the exchange.
struct push_sum {
  struct node_state {
    double weight = 1.0, arrived = 0.0;
  };
  static constexpr std::size_t rows = 1;
  static constexpr row_name estimate = exchange_row(0);

  void on_round(auto &plan, round_number k) const {
    if (k == 0) plan.assign_all(estimate, {{1, model_row}});
    plan.train_all({.at = estimate});
    plan.step_all();
    mixing_matrix const &p = plan.weights(k);
    plan.mix_all(p);
    for (node i = 0; i < plan.nodes(); ++i) {
      auto const [senders, shares] = p.row(i);
      plan.state(i).arrived = 0;
      for (std::size_t s = 0; s < senders.size(); ++s)
        plan.state(i).arrived += shares[s] * plan.state(senders[s]).weight;
    }
    for (node i = 0; i < plan.nodes(); ++i) {
      plan.state(i).weight = plan.state(i).arrived;
      plan.assign(i, estimate, {{1 / plan.state(i).weight, model_row}});
    }
  }
  static constexpr exchange_properties properties() { return {.gradient_waits = false}; }

  /// A node sends equal shares to itself and to those that it reaches.
  static mixing_matrix weights(graph const &g) {
    graph const sources = g.directed() ? g.reversed() : g;
    std::vector<std::size_t> offsets{0};
    std::vector<node> columns;
    std::vector<double> shares;
    for (std::size_t i = 0; i < g.nodes(); ++i) {
      auto const heard = sources.neighbors(i);
      std::vector<node> senders(heard.begin(), heard.end());
      senders.push_back(static_cast<node>(i));
      std::ranges::sort(senders);
      for (node const j : senders) {
        columns.push_back(j);
        shares.push_back(1.0 / (1.0 + static_cast<double>(g.degree(j))));
      }
      offsets.push_back(columns.size());
    }
    return {std::move(offsets), std::move(columns), std::move(shares), stochastic::columns};
  }
};

}  // namespace gossip::test
