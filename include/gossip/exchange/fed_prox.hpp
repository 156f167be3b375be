// FedProx. T. Li, A. K. Sahu, M. Zaheer, M. Sanjabi, A. Talwalkar, V. Smith, "Federated
// optimization in heterogeneous networks", MLSys 2020, Algorithm 2.
#pragma once

#include <cstddef>

#include <gossip/core/described.hpp>
#include <gossip/exchange/fed_avg.hpp>
#include <gossip/plan/exchange.hpp>
#include <gossip/plan/planned_rows.hpp>
#include <gossip/plan/row_name.hpp>

namespace gossip {

/// fed_avg whose clients step by g(y) + proximal (y - x), with x what the server sent: the gradient
/// of their loss and proximal |y - x|^2 / 2, which keeps them near. With a proximal of 0 it is
/// fed_avg. Two rows a node.
struct fed_prox : fed_avg {
  double proximal = 0.01;

  static constexpr std::size_t rows = 2;
  static constexpr row_name start = exchange_row(0), direction = exchange_row(1);  // x, g

  void on_round(auto &plan, round_number) const {
    round_by(plan, [&](node i, training_rows at) {
      at.into = direction;
      plan.train(i, at);
      plan.assign(i, direction, {{1, direction}, {proximal, model_row}, {-proximal, start}});
      plan.step(i, {.gradient = direction});
    });
  }
  void on_message(auto &plan, node i, auto const &m) const {
    fed_avg::on_message(plan, i, m);
    plan.assign(i, start, {{1, model_row}});
  }

  static constexpr char const *name = "fed_prox";
  static constexpr char const *meaning =
      "Li et al. 2020: federated averaging with a proximal term in the clients' loss";
  static constexpr auto members() {
    return fed_avg::members().followed_by(described(
        "proximal", &fed_prox::proximal,
        "coefficient mu of the proximal term mu / 2 |x - server's model|^2", {.most = 1e6}));
  }
};

static_assert(exchange<fed_prox>);

}  // namespace gossip
