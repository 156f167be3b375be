// SGD with error feedback. D. Alistarh, T. Hoefler, M. Johansson, S. Khirirat, N. Konstantinov,
// C. Renggli, "The convergence of sparsified gradient methods", NeurIPS 2018, Algorithm 1; for
// codecs of any kind S. P. Karimireddy, Q. Rebjock, S. U. Stich, M. Jaggi, "Error feedback fixes
// SignSGD and other gradient compression schemes", ICML 2019.
#pragma once

#include <cstddef>
#include <vector>

#include <gossip/codec/codec.hpp>
#include <gossip/codec/top_k.hpp>
#include <gossip/core/described.hpp>
#include <gossip/graph/graph.hpp>
#include <gossip/plan/exchange.hpp>
#include <gossip/plan/row_name.hpp>

namespace gossip {

/// p_i = e_i + rate g_i(x), e_i <- p_i - Q(p_i), x <- x - mean_i Q(p_i), where Q is what a codec
/// leaves of a row and e_i is 0 at first. All nodes hold one model. The optimizer takes the mean by
/// the rate for the gradient: with a momentum or adam it is theirs of that. The graph does not
/// matter; three rows a node. While the rate is 0 nothing is sent. With a codec that leaves all it
/// is all_reduce, up to rounding.
template <row_codec Codec = codec::top_k>
struct ef_sgd {
  Codec code{};

  static constexpr std::size_t rows = 3;
  static constexpr row_name gradient = exchange_row(0), error = exchange_row(1),
                            sent = exchange_row(2);

  void on_round(auto &plan, round_number) const {
    plan.train_all({.into = gradient});
    double const rate = plan.rate();
    if (rate > 0) {
      plan.assign_all(error, {{1, error}, {rate, gradient}});
      average_encoded(plan, error, sent, code);
    }
    plan.assign_all(gradient, {{rate > 0 ? 1 / rate : 0, sent}});
    plan.step_all({.gradient = gradient});
  }

  /// `code_row` of all nodes becomes the mean of what Q leaves of their rows, which keep the rest.
  static void average_encoded(auto &plan, row_name kept, row_name code_row, Codec const &codec) {
    plan.average_all(encode_all(plan, kept, code_row, codec));
  }

  /// `code_row` of every node becomes what Q leaves of its row, which keeps the rest.
  static std::vector<encoded_row> encode_all(auto &plan, row_name kept, row_name code_row,
                                             Codec const &codec) {
    std::vector<encoded_row> codes;
    for (node i = 0; i < plan.nodes(); ++i) {
      plan.assign(i, code_row, {{1, kept}});
      codes.push_back(plan.encode(i, code_row, codec));
      plan.assign(i, kept, {{1, kept}, {-1, code_row}});
    }
    return codes;
  }

  static constexpr exchange_properties properties() {
    return {.gradient_waits = false, .when_network_changes = network_changes::ignored};
  }
  void check(graph const &) const { code.check(); }

  static constexpr char const *name = "ef_sgd";
  static constexpr char const *meaning =
      "Alistarh et al. 2018: all nodes step by the mean of encoded gradients, with error feedback";
  static constexpr auto members() {
    return member_list{
        described("codec", &ef_sgd::code, "codec of gradients times the learning rate")};
  }
};

static_assert(exchange<ef_sgd<>>);

}  // namespace gossip
