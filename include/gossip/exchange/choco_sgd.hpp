// CHOCO-SGD. A. Koloskova, S. U. Stich, M. Jaggi, "Decentralized stochastic optimization and gossip
// algorithms with compressed communication", ICML 2019, Algorithm 2.
#pragma once

#include <cstddef>
#include <vector>

#include <gossip/codec/codec.hpp>
#include <gossip/codec/top_k.hpp>
#include <gossip/core/described.hpp>
#include <gossip/exchange/d_psgd.hpp>
#include <gossip/mixing/matrix.hpp>
#include <gossip/mixing/metropolis_hastings.hpp>
#include <gossip/plan/exchange.hpp>
#include <gossip/plan/row_name.hpp>

namespace gossip {

/// Rows by which neighbours follow a row of each other: what all know of a node's own, the sum of
/// w_ij times what is known of j's, and the last message.
struct followed_rows {
  row_name known, heard, sent;
};

/// All nodes encode what is new in a row and send it to those they share a weight with, in the
/// state of their messages `what`: known <- known + Q(row - known), and the same of the node's own
/// in `heard`. Who receives a message adds it to `heard` by its weight. A symmetric w.
template <row_codec Codec, class... State>
void tell_news(auto &plan, mixing_matrix const &w, Codec const &code, row_name row,
               followed_rows const &rows, State const &...what) {
  for (node i = 0; i < plan.nodes(); ++i) {
    plan.assign(i, rows.sent, {{1, row}, {-1, rows.known}});
    encoded_row const q = plan.encode(i, rows.sent, code);
    std::vector<node> receivers;
    for (node const j : w.row(i).columns)
      if (j != i && w.at(j, i) > 0) receivers.push_back(j);
    plan.send_to(i, receivers, q, what...);
    plan.assign(i, rows.known, {{1, rows.known}, {1, rows.sent}});
    plan.assign(i, rows.heard, {{1, rows.heard}, {w.at(i, i), rows.sent}});
  }
  plan.deliver();
}

/// h_i = x_i - rate d(g_i(x_i)), q_i = Q(h_i - y_i), y_i <- y_i + q_i,
/// x_i <- h_i + share sum_j w_ij (y_j - y_i), where Q is what a codec leaves of a row and y_i, at
/// first 0, what all know of node i's model. Rows: y_i, s_i = sum_j w_ij y_j, which takes the place
/// of the y_j of neighbors as weights never change, and q_i. With a codec that leaves all and a
/// share of 1 it is D-PSGD that adapts, then combines, up to rounding. A share too large for what
/// the codec leaves out diverges. Statistics of batch normalisation stay.
template <row_codec Codec = codec::top_k, weight_rule Weights = metropolis_hastings>
struct choco_sgd {
  Codec code{};
  double share = 0.05;
  Weights rule{};

  static constexpr std::size_t rows = 3;

  void on_round(auto &plan, round_number) const {
    plan.train_all();
    plan.step_all();
    tell_news(plan, plan.weights(0), code, model_row, {known, heard, sent});
    plan.assign_all(model_row, {{1, model_row}, {share, heard}, {-share, known}});
  }

  void on_message(auto &plan, node i, auto const &m) const {
    plan.add(i, heard, {{plan.weights(0).at(i, m.from), m}});
  }

  static constexpr exchange_properties properties() { return {.gradient_waits = false}; }
  auto weights(graph const &g) const { return rule.weights(g); }

  /// Throws input_error unless the codec can be used and the weights are one symmetric matrix that
  /// keeps the mean.
  void check(graph const &g) const {
    code.check();
    symmetric_weights("choco_sgd", g, rule);
  }

  static constexpr char const *name = "choco_sgd";
  static constexpr char const *meaning =
      "Koloskova et al. 2019: D-PSGD with compressed differences of models as messages";
  static constexpr auto members() {
    return member_list{
        described("codec", &choco_sgd::code, "codec of messages"),
        described("share", &choco_sgd::share,
                  "consensus step size: fraction of the mixing step that a node applies",
                  {.least = 0, .most = 1, .above_least = true}),
        described("weights", &choco_sgd::rule, "mixing weights")};
  }

 private:
  static constexpr row_name known = exchange_row(0), heard = exchange_row(1),
                            sent = exchange_row(2);
};

static_assert(exchange<choco_sgd<>>);

}  // namespace gossip
