// DeMo. B. Peng, J. Quesnelle, D. P. Kingma, "DeMo: decoupled momentum optimization", arXiv
// 2411.19870 (2024), Algorithm 1, whose steps are signs.
#pragma once

#include <cstddef>

#include <gossip/codec/codec.hpp>
#include <gossip/codec/cosine_top_k.hpp>
#include <gossip/core/described.hpp>
#include <gossip/exchange/ef_sgd.hpp>
#include <gossip/graph/graph.hpp>
#include <gossip/op/column.hpp>
#include <gossip/plan/exchange.hpp>
#include <gossip/plan/row_name.hpp>

namespace gossip {

/// m_i <- momentum m_i + rate g_i(x), m_i <- m_i - Q(m_i), x <- x - rate sign(mean_i Q(m_i)), where
/// Q is what a codec leaves of a row: what is fast in a momentum is sent, and what is slow stays
/// with its node until it is large. All nodes hold one model. For plain sgd, which takes the signs
/// for the gradient. The graph does not matter; two rows a node. With a codec that leaves all it is
/// SGD by the sign of the mean gradient.
template <row_codec Codec = codec::cosine_top_k>
struct decoupled_momentum {
  Codec code{};
  double momentum = 0.999;

  static constexpr std::size_t rows = 2;
  static constexpr row_name kept = exchange_row(0), sent = exchange_row(1);

  void on_round(auto &plan, round_number) const {
    plan.train_all({.into = sent});
    plan.assign_all(kept, {{momentum, kept}, {plan.rate(), sent}});
    ef_sgd<Codec>::average_encoded(plan, kept, sent, code);
    for (node i = 0; i < plan.nodes(); ++i) plan.apply(op::sign{}, i, {sent});
    plan.step_all({.gradient = sent});
  }
  static constexpr exchange_properties properties() {
    return {.gradient_waits = false, .when_network_changes = network_changes::ignored};
  }
  void check(graph const &) const { code.check(); }

  static constexpr char const *name = "decoupled_momentum";
  static constexpr char const *meaning =
      "Peng et al. 2024 (DeMo): all nodes step by the sign of the mean of their encoded momenta";
  static constexpr auto members() {
    return member_list{described("codec", &decoupled_momentum::code, "codec of momenta"),
                       described("momentum", &decoupled_momentum::momentum,
                                 "momentum of gradients; what is sent is subtracted from it",
                                 {.most = 1, .below_most = true})};
  }
};

static_assert(exchange<decoupled_momentum<>>);

}  // namespace gossip
