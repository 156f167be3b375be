// SparseLoCo. A. Sarfi, B. Therien, J. Lidin, E. Belilovsky, "Communication efficient LLM
// pre-training with SparseLoCo", arXiv 2508.15706 (2025), Algorithm 1 without the 2-bit numbers.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include <gossip/codec/chunked_top_k.hpp>
#include <gossip/codec/codec.hpp>
#include <gossip/core/described.hpp>
#include <gossip/exchange/ef_sgd.hpp>
#include <gossip/op/column.hpp>
#include <gossip/plan/exchange.hpp>
#include <gossip/plan/row_name.hpp>

namespace gossip {

/// The nodes whose number divides a column of the sum of encoded rows: all nodes, or the senders of
/// a number of that column, as in the authors' program.
enum class counted_nodes { all, senders };

template <>
struct value_names<counted_nodes> {
  static constexpr std::array<char const *, 2> names{"all", "senders"};
};

/// Nodes take `local_steps` steps of their own from a common model x to x_i and keep their
/// optimizers, AdamW in the paper; then e_i <- decay e_i + x - x_i, e_i <- e_i - Q(e_i) and
/// x <- x - outer_rate mean_i Q(e_i), where Q is what a codec leaves of a row and what it leaves
/// out takes the place of diloco's momentum. Where senders are counted the mean is, in each column,
/// that of the nodes whose Q(e_i) is not 0 there. The graph does not matter; three rows a node.
/// With a codec that leaves all and a rate of 1 it is local_sgd, up to rounding.
template <row_codec Codec = codec::chunked_top_k>
struct sparse_loco {
  Codec code{};
  std::uint64_t local_steps = 30;  ///< rounds from one outer step to the next
  double decay = 0.95;
  double outer_rate = 1.0;
  counted_nodes counted = counted_nodes::all;

  static constexpr std::size_t rows = 3;
  static constexpr row_name start = exchange_row(0), error = exchange_row(1),
                            sent = exchange_row(2);

  void on_round(auto &plan, round_number k) const {
    if (k % local_steps == 0) plan.assign_all(start, {{1, model_row}});
    plan.train_all();
    plan.step_all();
    if ((k + 1) % local_steps != 0) return;
    plan.assign_all(error, {{decay, error}, {1, start}, {-1, model_row}});
    if (counted == counted_nodes::all)
      ef_sgd<Codec>::average_encoded(plan, error, sent, code);
    else
      average_of_senders(plan);
    plan.assign_all(model_row, {{1, start}, {-outer_rate, sent}});
  }
  constexpr exchange_properties properties() const {
    return {.gradient_waits = false,
            .rounds = {.period = local_steps, .act = "outer step"},
            .when_network_changes = network_changes::ignored};
  }
  void check(graph const &) const { code.check(); }

  static constexpr char const *name = "sparse_loco";
  static constexpr char const *meaning =
      "Sarfi et al. 2025: local steps, then an outer step by encoded displacements with error "
      "feedback";
  static constexpr auto members() {
    return member_list{
        described("codec", &sparse_loco::code, "codec of displacements"),
        described("local_steps", &sparse_loco::local_steps,
                  "number of local steps between two outer steps", {.least = 1}),
        described("decay", &sparse_loco::decay, "decay rate of the error feedback", {.most = 1}),
        described("outer_rate", &sparse_loco::outer_rate, "learning rate of the outer step",
                  {.most = 1e6}),
        described("counted", &sparse_loco::counted,
                  "divisor of the mean of a column: the number of all nodes, or of its senders")};
  }

 private:
  /// Every node knows from the codes how many have sent a column. Their share of all nodes is made
  /// in the row of x, which is kept in the models meanwhile.
  void average_of_senders(auto &plan) const {
    constexpr row_name share = start;
    plan.assign_all(model_row, {{1, start}});
    auto const codes = ef_sgd<Codec>::encode_all(plan, error, sent, code);
    for (node i = 0; i < plan.nodes(); ++i) plan.apply(op::nonzero{}, i, {share, sent});
    plan.average_all(codes);
    plan.at_no_cost([&] { plan.average_all(share); });
    for (node i = 0; i < plan.nodes(); ++i) plan.apply(op::divide_by_nonzero{}, i, {sent, share});
    plan.assign_all(start, {{1, model_row}});
  }
};

static_assert(exchange<sparse_loco<>>);

}  // namespace gossip
