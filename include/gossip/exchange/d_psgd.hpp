// D-PSGD. X. Lian, C. Zhang, H. Zhang, C.-J. Hsieh, W. Zhang, J. Liu, "Can decentralized algorithms
// outperform centralized algorithms?", NeurIPS 2017, Algorithm 1.
#pragma once

#include <array>
#include <string>

#include <gossip/core/described.hpp>
#include <gossip/core/error.hpp>
#include <gossip/mixing/metropolis_hastings.hpp>
#include <gossip/plan/exchange.hpp>

namespace gossip {

/// Time of the gradient's application: after mixing the models it was computed on (the paper's
/// form, communication overlaps computation), or before (adapt then combine).
enum class mixing_order { combine_then_adapt, adapt_then_combine };

/// The point of a gradient: a node's own model x_i, or the mixture sum_j w_ij x_j.
enum class gradient_point { own, mixed };

/// The nodes that a node waits for: those it listens to, or all.
enum class barrier { neighbors, global };

/// Throws input_error unless the rule's weights on this graph, in every round, keep the mean of the
/// network. Gives them.
template <weight_rule Weights>
by_round<mixing_matrix> check_weights(char const *where, graph const &g, Weights const &rule) {
  by_round<mixing_matrix> all = weights_by_round(rule, g);
  for (mixing_matrix const &w : all.values())
    if (!w.is_doubly_stochastic())
      throw input_error(where, "doubly stochastic weights, such as metropolis_hastings",
                        "weights whose columns do not sum to 1 on this graph");
  return all;
}

/// The weights of a rule that gives one symmetric matrix, as methods need that add up what mixing
/// has moved. Throws input_error where it gives others, or some that do not keep the mean.
template <weight_rule Weights>
mixing_matrix symmetric_weights(char const *where, graph const &g, Weights const &rule) {
  by_round<mixing_matrix> const all = check_weights(where, g, rule);
  if (all.values().size() > 1)
    throw input_error(where, "one matrix of weights for all rounds",
                      std::to_string(all.values().size()));
  if (auto const entry = all[0].asymmetry())
    throw input_error(where, "symmetric weights", in_words(*entry));
  return all[0];
}

template <>
struct value_names<mixing_order> {
  static constexpr std::array<char const *, 2> names{"combine_then_adapt", "adapt_then_combine"};
};
template <>
struct value_names<gradient_point> {
  static constexpr std::array<char const *, 2> names{"own", "mixed"};
};
template <>
struct value_names<barrier> {
  static constexpr std::array<char const *, 2> names{"neighbors", "global"};
};

/// combine_then_adapt: x_i <- sum_j w_ij x_j - rate d(g_i(x_i));
/// adapt_then_combine: h_i = x_i - rate d(g_i(x_i)), x_i <- sum_j w_ij h_j.
/// combine_then_adapt at the mixed point: m_i = sum_j w_ij x_j, x_i <- m_i - rate d(g_i(m_i)); from
/// equal starts m_i are the x_i and x_i the h_i of adapt_then_combine. An edge whose messages are
/// lost is left out of a round.
template <weight_rule Weights = metropolis_hastings>
struct d_psgd {
  mixing_order order = mixing_order::combine_then_adapt;
  gradient_point point = gradient_point::own;
  barrier wait = barrier::neighbors;
  Weights rule{};

  void on_round(auto &plan, round_number k) const {
    bool const global = wait == barrier::global;
    if (point == gradient_point::own) plan.train_all();
    if (order == mixing_order::adapt_then_combine) plan.step_all();
    plan.mix_all(plan.weights(k), global);
    if (point == gradient_point::mixed) plan.train_all();
    if (order == mixing_order::combine_then_adapt) plan.step_all();
  }

  constexpr exchange_properties properties() const {
    return {
        .gradient_waits = order == mixing_order::combine_then_adapt && point == gradient_point::own,
        .tolerates_loss = true,
        .tolerates_absence = true};
  }

  auto weights(graph const &g) const { return rule.weights(g); }

  void check(graph const &g) const {
    check_weights("d_psgd", g, rule);
    if (order == mixing_order::adapt_then_combine && point == gradient_point::mixed)
      throw input_error("d_psgd: point", "own where gradients are applied before the mixture",
                        "mixed");
  }

  static constexpr char const *name = "d_psgd";
  static constexpr char const *meaning =
      "Lian et al. 2017: in every round, each node trains and averages its model with its "
      "neighbors'";
  static constexpr auto members() {
    return member_list{
        described("order", &d_psgd::order,
                  "order of a round: mix models, then apply the gradient, or the reverse"),
        described("point", &d_psgd::point,
                  "point of gradients: a node's own model, or the mixture of its neighborhood"),
        described("barrier", &d_psgd::wait,
                  "nodes for which a node waits: its neighbors or all nodes"),
        described("weights", &d_psgd::rule, "mixing weights")};
  }
};

static_assert(exchange<d_psgd<>>);

}  // namespace gossip
