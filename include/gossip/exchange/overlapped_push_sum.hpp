// Stochastic gradient push with overlap. M. Assran, N. Loizou, N. Ballas, M. Rabbat, "Stochastic
// gradient push for distributed deep learning", ICML 2019, tau-overlap SGP.
#pragma once

#include <cstdint>
#include <vector>

#include <gossip/core/described.hpp>
#include <gossip/core/node.hpp>
#include <gossip/exchange/push_sum.hpp>
#include <gossip/mixing/equal_shares.hpp>
#include <gossip/mixing/matrix.hpp>
#include <gossip/mixing/weights.hpp>
#include <gossip/plan/exchange.hpp>
#include <gossip/plan/row_name.hpp>

namespace gossip {

/// push_sum whose messages travel while nodes train: in every `period`-th round x_i and w_i go to
/// all that node i reaches, and become p_ii x_i and p_ii w_i; `delay` rounds later p_ji times what
/// was sent is added to x_j and w_j. Sums of x and of w stay, with what is on its way. The paper
/// has one number, tau, for both; without delay, in every round, it is push_sum, up to rounding.
template <weight_rule Weights = equal_shares>
struct overlapped_push_sum : push_sum<Weights> {
  std::uint64_t delay = 1;   ///< rounds from a message to its addition
  std::uint64_t period = 1;  ///< rounds from one message to the next

  struct message_state {
    double weight = 0;
    round_number round = 0;
  };

  void on_round(auto &plan, round_number k) const {
    this->step_pushed(plan, k);
    if (k % period == 0) send(plan, k / period);
    plan.deliver(delay);
    for (node i = 0; i < plan.nodes(); ++i)
      plan.assign(i, model_row, {{1 / plan.state(i).weight, this->pushed}});
  }

  void on_message(auto &plan, node i, auto const &m) const {
    double const share = plan.weights(m.state.round).at(i, m.from);
    plan.add(i, this->pushed, {{share, m}});
    plan.state(i).weight += share * m.state.weight;
  }

  static constexpr exchange_properties properties() { return {}; }  // its shares must arrive

  static constexpr char const *name = "overlapped_push_sum";
  static constexpr char const *meaning =
      "Assran et al. 2019: push_sum with messages that overlap with training";
  static constexpr auto members() {
    return push_sum<Weights>::members().followed_by(
        described("delay", &overlapped_push_sum::delay,
                  "number of rounds from the sending of a message to its addition"),
        described("period", &overlapped_push_sum::period, "number of rounds between two messages",
                  {.least = 1}));
  }

 private:
  void send(auto &plan, round_number mixture) const {
    mixing_matrix const &p = plan.weights(mixture);
    std::vector<std::vector<node>> receivers(plan.nodes());
    for (node j = 0; j < plan.nodes(); ++j)
      for (node const i : p.row(j).columns)
        if (i != j) receivers[i].push_back(j);
    for (node i = 0; i < plan.nodes(); ++i) {
      double &weight = plan.state(i).weight, own = p.at(i, i);
      plan.send_to(i, receivers[i], {{1, this->pushed}}, {}, {weight, mixture});
      plan.assign(i, this->pushed, {{own, this->pushed}});
      weight *= own;
    }
  }
};

static_assert(exchange<overlapped_push_sum<>>);

}  // namespace gossip
