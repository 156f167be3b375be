// Push-sum with running sums. C. N. Hadjicostis, N. H. Vaidya, A. D. Dominguez-Garcia, "Robust
// distributed average consensus via exchange of running sums", IEEE Transactions on Automatic
// Control 61 (2016), Algorithm 1, with the gradients of stochastic gradient push.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include <gossip/core/by_round.hpp>
#include <gossip/core/described.hpp>
#include <gossip/core/error.hpp>
#include <gossip/core/node.hpp>
#include <gossip/exchange/push_sum.hpp>
#include <gossip/graph/graph.hpp>
#include <gossip/mixing/equal_shares.hpp>
#include <gossip/mixing/matrix.hpp>
#include <gossip/mixing/weights.hpp>
#include <gossip/plan/exchange.hpp>
#include <gossip/plan/message.hpp>
#include <gossip/plan/row_name.hpp>

namespace gossip {

/// push_sum whose senders need not know which of their messages are lost: s_j <- s_j + x_j, node j
/// sends s_j and keeps p_jj x_j; who hears s_j adds p_ij times what is new in it, s_j less the last
/// that it has heard of j. So what a lost message had comes with the next that arrives, and sums of
/// x and of w stay, with what is still to come; w has sums of its own, of which 8 bytes a message
/// are not counted. Where no message is lost it is push_sum, up to rounding. One matrix of shares
/// for all rounds. Rows: x, s, what is new in a sum, and the last messages of every node, at most
/// one for each that hears it, one or two where none is lost. A sum grows with the rounds, and what
/// it is rounded by stays with its sender: in single precision a message of round k has errors of
/// about 2^-24 k times a model. What is on its way to a node that is down for long leaves its
/// neighbours little weight, and their steps count for more until it is back; where one is down for
/// good push_sum, which keeps such shares, is the method.
template <weight_rule Weights = equal_shares>
struct running_sums_push_sum : push_sum<Weights> {
  struct message_state {
    double sum = 0;  ///< of weights
  };
  struct node_state {
    double weight = 1.0, sum = 0.0;
    std::vector<message<message_state>> heard{};  ///< the last of every sender
  };
  static constexpr std::size_t rows = 3;

  void on_round(auto &plan, round_number k) const {
    this->step_pushed(plan, k);
    for (node i = 0; i < plan.nodes(); ++i)
      if (plan.takes_part(i)) send(plan, i);
    plan.deliver();
    for (node i = 0; i < plan.nodes(); ++i) {
      require_weight(i, plan.state(i));
      plan.assign(i, model_row, {{1 / plan.state(i).weight, this->pushed}});
    }
  }

  void on_message(auto &plan, node i, auto const &m) const {
    double const share = plan.weights(0).at(i, m.from);
    auto &own = plan.state(i);
    auto const last =
        std::ranges::find(own.heard, m.from, [](auto const &one) { return one.from; });
    plan.keep(m);
    if (last == own.heard.end()) {
      plan.assign(i, news, {}, {{1, m}});
      own.weight += share * m.state.sum;
      own.heard.push_back(m);
    } else {
      plan.assign(i, news, {}, {{1, m}, {-1, *last}});
      own.weight += share * (m.state.sum - last->state.sum);
      plan.drop(*last);
      *last = m;
    }
    plan.assign(i, this->pushed, {{1, this->pushed}, {share, news}});
  }

  /// The nodes that each sends to.
  std::vector<std::vector<node>> prepare(graph const &g) const {
    mixing_matrix const p = weights_by_round(this->rule, g)[0];
    std::vector<std::vector<node>> receivers(g.nodes());
    for (node i = 0; i < g.nodes(); ++i)
      for (node const j : p.row(i).columns)
        if (j != i) receivers[j].push_back(i);
    return receivers;
  }

  /// Throws input_error for what push_sum refuses, and for shares that change.
  void check(graph const &g) const {
    push_sum<Weights>::check(g);
    by_round<mixing_matrix> const all = weights_by_round(this->rule, g);
    if (all.values().size() > 1)
      throw input_error("running_sums_push_sum", "one matrix of shares for all rounds",
                        std::to_string(all.values().size()));
  }

  static constexpr char const *name = "running_sums_push_sum";
  static constexpr char const *meaning =
      "Hadjicostis et al. 2016: push_sum that recovers the content of lost messages";

 private:
  /// A weight of which rounding has left nothing, or less, divides no model.
  static void require_weight(node i, node_state const &own) {
    if (!(own.weight > 0x1p-1000))
      throw error("running_sums_push_sum: node " + std::to_string(i) +
                  " has received too little for too long, so that its weight is 0; expected "
                  "shorter outages, or push_sum, in which a sender keeps what does not arrive");
  }

  static constexpr row_name sum = exchange_row(1), news = exchange_row(2);

  /// Node i sends its sum, and has what it has not sent left.
  void send(auto &plan, node i) const {
    double const gone = 1 - plan.weights(0).at(i, i);
    auto &own = plan.state(i);
    double const before = own.sum;
    own.sum += own.weight;
    own.weight -= gone * (own.sum - before);
    plan.assign(i, news, {{1, sum}});
    plan.assign(i, sum, {{1, sum}, {1, this->pushed}});
    plan.send_to(i, plan.prepared()[i], {{1, sum}}, {}, {own.sum});
    plan.assign(i, news, {{1, sum}, {-1, news}});
    plan.assign(i, this->pushed, {{1, this->pushed}, {-gone, news}});
  }
};

static_assert(exchange<running_sums_push_sum<>>);

}  // namespace gossip
