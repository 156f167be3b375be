// Stochastic gradient push. M. Assran, N. Loizou, N. Ballas, M. Rabbat, "Stochastic gradient push
// for distributed deep learning", ICML 2019, Algorithm 1.
#pragma once

#include <cstddef>

#include <gossip/core/described.hpp>
#include <gossip/core/error.hpp>
#include <gossip/mixing/equal_shares.hpp>
#include <gossip/mixing/matrix.hpp>
#include <gossip/mixing/weights.hpp>
#include <gossip/plan/exchange.hpp>
#include <gossip/plan/row_name.hpp>

namespace gossip {

/// x_i <- sum_j p_ij (x_j - rate d(g_j(z_j))), w_i <- sum_j p_ij w_j, z_i = x_i / w_i, with w_i = 1
/// at first and shares p whose columns sum to 1: sums of x and w stay on directed graphs. Models
/// are z, where gradients are taken and observers look; x is a row of its own, which steps move.
/// Weight decay that belongs to the gradient is of z. The 8 bytes of w are not counted; statistics
/// of batch normalisation stay. Nodes agree where the graph is strongly connected. With doubly
/// stochastic weights w stays 1, and it is D-PSGD that adapts, then combines. A share that is lost
/// stays with its sender.
template <weight_rule Weights = equal_shares>
struct push_sum {
  Weights rule{};

  struct node_state {
    double weight = 1.0, arrived = 0.0;
  };
  static constexpr std::size_t rows = 1;

  void on_round(auto &plan, round_number k) const {
    step_pushed(plan, k);
    mixing_matrix const &p = plan.mix_and_return_weights(pushed, plan.weights(k));
    for (node i = 0; i < plan.nodes(); ++i) {
      auto const [senders, shares] = p.row(i);
      plan.state(i).arrived = 0;
      for (std::size_t s = 0; s < senders.size(); ++s)
        plan.state(i).arrived += shares[s] * plan.state(senders[s]).weight;
    }
    for (node i = 0; i < plan.nodes(); ++i) {
      plan.state(i).weight = plan.state(i).arrived;
      plan.assign(i, model_row, {{1 / plan.state(i).weight, pushed}});
    }
  }

  static constexpr exchange_properties properties() {
    return {.tolerates_loss = true, .tolerates_absence = true, .keeps = kept_sums::columns};
  }
  auto weights(graph const &g) const { return rule.weights(g); }

  /// Throws input_error unless in every round each node sends shares that sum to 1, of which it
  /// keeps one.
  void check(graph const &g) const {
    by_round<mixing_matrix> const all = weights_by_round(rule, g);
    for (mixing_matrix const &p : all.values()) check_shares(p);
  }

  static constexpr char const *name = "push_sum";
  static constexpr char const *meaning =
      "Assran et al. 2019: stochastic gradient push, for directed graphs too";
  static constexpr auto members() {
    return member_list{
        described("weights", &push_sum::rule,
                  "column-stochastic weights: the shares of its model that a node sends")};
  }

 protected:
  static constexpr row_name pushed = exchange_row(0);  // x

  /// Gradients at z, by which x steps.
  static void step_pushed(auto &plan, round_number k) {
    if (k == 0) plan.assign_all(pushed, {{1, model_row}});
    plan.train_all();
    plan.assign_all(model_row, {{1, pushed}});
    plan.step_all();
    plan.assign_all(pushed, {{1, model_row}});
  }

 private:
  static std::string wrong_column(mixing_matrix const &p) {
    auto const sums = p.column_sums();
    for (std::size_t j = 0; j < sums.size(); ++j)
      if (std::abs(sums[j] - 1.0) > 1e-12)
        return "the sum " + detail::shortest(sums[j]) + " of column " + std::to_string(j);
    return "a negative weight";
  }
  static void check_shares(mixing_matrix const &p) {
    if (p.sums() != stochastic::columns && !p.is_doubly_stochastic())
      throw input_error("push_sum", "weights whose columns sum to 1, such as equal_shares",
                        wrong_column(p));
    for (std::size_t i = 0; i < p.rows(); ++i)
      if (!(p.at(i, i) > 0))
        throw input_error("push_sum", "a share above 0 that each node keeps", "0");
  }
};

static_assert(exchange<push_sum<>>);

}  // namespace gossip
