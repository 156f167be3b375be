// DeepSqueeze. H. Tang, X. Lian, S. Qiu, L. Yuan, C. Zhang, T. Zhang, J. Liu, "DeepSqueeze:
// decentralization meets error-compensated compression", arXiv 1907.07346 (2019), Algorithm 1.
#pragma once

#include <cstddef>
#include <vector>

#include <gossip/codec/codec.hpp>
#include <gossip/codec/top_k.hpp>
#include <gossip/core/described.hpp>
#include <gossip/core/error.hpp>
#include <gossip/exchange/d_psgd.hpp>
#include <gossip/mixing/metropolis_hastings.hpp>
#include <gossip/plan/exchange.hpp>
#include <gossip/plan/row_name.hpp>

namespace gossip {

// quote squeeze
/// h_i = x_i - rate d(g_i(x_i)), c_i = Q(h_i + e_i), e_i <- h_i + e_i - c_i,
/// x_i <- h_i + share sum_j w_ij (c_j - c_i), where Q is what a codec leaves of a row. With a codec
/// that leaves all and a share of 1 it is D-PSGD that adapts, then combines. Statistics of batch
/// normalisation stay.
template <row_codec Codec = codec::top_k, weight_rule Weights = metropolis_hastings>
struct deep_squeeze {
  Codec code{};
  double share = 1.0;
  Weights rule{};

  static constexpr std::size_t rows = 2;
  struct message_state {
    round_number round;
  };

  void on_round(auto &plan, round_number k) const {
    plan.train_all();
    plan.step_all();
    for (node i = 0; i < plan.nodes(); ++i) {
      plan.assign(i, error, {{1, model_row}, {1, error}});
      plan.assign(i, sent, {{1, error}});
      encoded_row const c = plan.encode(i, sent, code);
      plan.assign(i, error, {{1, error}, {-1, sent}});
      std::vector<node> receivers;
      for (node const j : plan.topology().neighbors(i))
        if (plan.weights(k).at(j, i) > 0) receivers.push_back(j);
      plan.send_to(i, receivers, c, {k});
      double const of_others = 1 - plan.weights(k).at(i, i);
      plan.assign(i, model_row, {{1, model_row}, {-share * of_others, sent}});
    }
    plan.deliver();
  }

  void on_message(auto &plan, node i, auto const &m) const {
    plan.add(i, model_row, {{share * plan.weights(m.state.round).at(i, m.from), m}});
  }

  // end quote
  static constexpr exchange_properties properties() { return {.gradient_waits = false}; }
  auto weights(graph const &g) const { return rule.weights(g); }

  void check(graph const &g) const {
    code.check();
    if (g.directed())
      throw input_error("deep_squeeze", "an undirected topology", "a directed topology");
    check_weights("deep_squeeze", g, rule);
  }

  static constexpr char const *name = "deep_squeeze";
  static constexpr char const *meaning =
      "Tang et al. 2019: D-PSGD with compressed models and error feedback";
  static constexpr auto members() {
    return member_list{
        described("codec", &deep_squeeze::code, "codec of messages"),
        described("share", &deep_squeeze::share,
                  "consensus step size: fraction of the mixing step that a node applies",
                  {.least = 0, .most = 1, .above_least = true}),
        described("weights", &deep_squeeze::rule, "mixing weights")};
  }

 private:
  static constexpr row_name error = exchange_row(0), sent = exchange_row(1);
};

static_assert(exchange<deep_squeeze<>>);

}  // namespace gossip
