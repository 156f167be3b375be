// Exchanges whose graph is another in every round; for tests of engines.
#pragma once

#include <gossip/graph/graph.hpp>
#include <gossip/mixing/matrix.hpp>
#include <gossip/plan/exchange.hpp>

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

namespace gossip::test {

// quote matchings
/// Every round another set of pairs that average, drawn from the graph's edges.
struct random_matchings {
  void on_round(auto &plan, round_number) const {
    plan.train_all();
    plan.step_all();
    std::vector<node> partner(plan.nodes());
    for (node i = 0; i < plan.nodes(); ++i) partner[i] = i;
    for (node i = 0; i < plan.nodes(); ++i) {
      if (partner[i] != i || !plan.has_neighbor(i)) continue;
      node const j = plan.random_neighbor(i);
      if (partner[j] == j) partner[i] = j, partner[j] = i;
    }
    plan.mix_all(of_pairs(partner));
  }
  static constexpr exchange_properties properties() { return {.gradient_waits = false}; }

  static mixing_matrix of_pairs(std::vector<node> const &partner) {
    std::vector<std::size_t> offsets{0};
    std::vector<node> columns;
    std::vector<double> values;
    for (node i = 0; i < partner.size(); ++i) {
      node const j = partner[i];
      for (node const k : {std::min(i, j), std::max(i, j)})
        if (columns.size() == offsets.back() || columns.back() != k) columns.push_back(k);
      values.resize(columns.size(), i == j ? 1.0 : 0.5);
      offsets.push_back(columns.size());
    }
    return {std::move(offsets), std::move(columns), std::move(values)};
  }
};
// end quote

/// The same pairs by averages, one pair after another.
struct random_pairs {
  void on_round(auto &plan, round_number) const {
    plan.train_all();
    plan.step_all();
    std::vector<bool> taken(plan.nodes());
    for (node i = 0; i < plan.nodes(); ++i) {
      if (taken[i] || !plan.has_neighbor(i)) continue;
      node const j = plan.random_neighbor(i);
      if (taken[j]) continue;
      taken[i] = taken[j] = true;
      plan.average(i, j);
    }
  }
  static constexpr exchange_properties properties() { return {.gradient_waits = false}; }
};

}  // namespace gossip::test
