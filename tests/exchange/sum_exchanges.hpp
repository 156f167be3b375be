// An exchange that uses all that a plan can do with sums over nodes; for tests of engines.
#pragma once

#include <gossip/core/node.hpp>
#include <gossip/plan/exchange_properties.hpp>
#include <gossip/plan/row_name.hpp>

#include <cstddef>
#include <vector>

namespace gossip::test {

/// Sums of some nodes, of all, of a server and of rows besides the models, between trainings and
/// averages.
struct sums_of_rows {
  static constexpr std::size_t rows = 2, servers = 1;

  void on_round(auto &plan, round_number k) const {
    node const server = plan.server(0), last = static_cast<node>(plan.nodes() - 1);
    plan.train_all({.into = gradient});
    plan.assign_all(kept, {{0.5, kept}, {1, model_row}});
    if (k % 2 == 0) plan.average_all(gradient);
    std::vector<node_term> odd{{last, 0.25}};
    for (node i = 1; i < plan.nodes(); i += 2) odd.push_back({i, 0.5 / (1.0 + i)});
    plan.sum_to(server, model_row, odd, model_row);
    plan.step_all({.gradient = gradient});
    plan.sum_to(0, kept, {{server, 0.75}, {0, 0.25}, {last, -0.125}}, kept);
    if (plan.nodes() > 1) plan.average(0, last);
    plan.sum_to(server, kept, {{0, 1}}, model_row);
    if (k % 3 == 1) plan.average_all();
  }
  static constexpr exchange_properties properties() { return {.gradient_waits = false}; }

 private:
  static constexpr row_name gradient = exchange_row(0), kept = exchange_row(1);
};

}  // namespace gossip::test
