// PowerGossip. T. Vogels, S. P. Karimireddy, M. Jaggi, "Practical low-rank communication
// compression in decentralized deep learning", NeurIPS 2020, Algorithm 1 after a step of SGD.
#pragma once

#include <cstddef>
#include <cstdint>

#include <gossip/core/described.hpp>
#include <gossip/exchange/d_psgd.hpp>
#include <gossip/mixing/metropolis_hastings.hpp>
#include <gossip/op/factors.hpp>
#include <gossip/plan/exchange.hpp>
#include <gossip/plan/row_name.hpp>

namespace gossip {

/// Neighbors know the difference X_i - X_j of every matrix (m,n) by factors P (rank,m) and Q
/// (rank,n) that they keep, of which each half of a power iteration makes the other anew:
/// Q <- P^ (X_i - X_j), then P <- Q^ (X_i - X_j)^T, by turns, where ^ means orthonormal rows. A
/// message is one such product of the sender's own matrices. Then X_i <- X_i - share w_ij P^T Q.
/// Vectors, and matrices that are not worth factors, are sent whole once a round. With models of
/// such tensors alone and a share of 1 it is D-PSGD that adapts, then combines, up to rounding.
/// Statistics of batch normalisation stay.
template <weight_rule Weights = metropolis_hastings>
struct power_gossip {
  std::uint32_t rank = 1;
  std::uint32_t steps = 1;
  double share = 1.0;
  Weights rule{};

  static constexpr std::size_t rows = 2, edge_rows = 2;
  struct message_state {
    bool left = false;  ///< factors P, not Q
  };

  void on_round(auto &plan, round_number k) const {
    plan.train_all();
    plan.step_all();
    auto const each_edge = [&](auto f) {
      for (node i = 0; i < plan.nodes(); ++i)
        for (node const j : plan.topology().neighbors(i)) f(i, j);
    };
    if (k == 0)
      each_edge([&](node i, node j) {
        plan.apply(op::first_factors{}, i, {product});
        plan.assign(plan.edge(i, j, right), {{1, product}});
      });
    for (std::uint32_t s = 0; s < steps; ++s) {
      std::size_t const by = (k * steps + s) % 2 == 0 ? right : left, made = right - by;
      double const by_left = by == left ? 1 : 0, others = s + 1 == steps ? 1 : 0;
      std::size_t const bytes = bytes_of(plan, made, s + 1 == steps);
      each_edge([&](node i, node j) {
        plan.apply(op::multiply_factors{}, i, {product, orthonormal, model_row},
                   plan.edge(i, j, by), {static_cast<double>(rank), by_left, others});
        plan.assign(plan.edge(i, j, by), {{1, orthonormal}});
        plan.assign(plan.edge(i, j, made), {{1, product}});
        plan.send(i, j, encoded_row{i, product, bytes}, {made == left});
      });
      plan.deliver();
    }
    each_edge([&](node i, node j) {
      double const towards = (i < j ? -1 : 1) * share * plan.weights(0).at(i, j);
      plan.assign(i, orthonormal, {}, {{1, plan.edge(i, j, left)}});
      plan.apply(op::add_factors{}, i, {model_row, product, orthonormal}, plan.edge(i, j, right),
                 {static_cast<double>(rank), towards});
    });
  }

  /// Both ends subtract the higher node's from the lower node's.
  void on_message(auto &plan, node i, auto const &m) const {
    edge_row const own = plan.edge(i, m.from, m.state.left ? left : right);
    double const sign = i < m.from ? 1 : -1;
    plan.assign(own, {}, {{sign, own}, {-sign, m}});
  }

  static constexpr exchange_properties properties() { return {.gradient_waits = false}; }
  auto weights(graph const &g) const { return rule.weights(g); }

  /// Throws input_error unless the weights are one symmetric matrix that keeps the mean.
  void check(graph const &g) const { symmetric_weights("power_gossip", g, rule); }

  static constexpr char const *name = "power_gossip";
  static constexpr char const *meaning =
      "Vogels et al. 2020: D-PSGD with low-rank differences of models as messages";
  static constexpr auto members() {
    return member_list{
        described("rank", &power_gossip::rank, "rank of the approximation of a matrix",
                  {.least = 1}),
        described("steps", &power_gossip::steps, "number of half power iterations in a round",
                  {.least = 1}),
        described("share", &power_gossip::share,
                  "consensus step size: fraction of the mixing step that a node applies",
                  {.least = 0, .most = 1, .above_least = true}),
        described("weights", &power_gossip::rule, "mixing weights")};
  }

 private:
  static constexpr std::size_t left = 0, right = 1;
  static constexpr row_name product = exchange_row(0), orthonormal = exchange_row(1);

  /// Bytes of a message of left or right factors, in a round's last half with all other tensors. A
  /// plan that is told no tensors has one vector.
  std::size_t bytes_of(auto const &plan, std::size_t made, bool others) const {
    std::size_t numbers = plan.tensors().size() == 0 && others ? plan.columns() : 0;
    for (row_tensor const &one : plan.tensors())
      if (op::has_factors(one, rank))
        numbers += rank * (made == left ? one.rows : one.columns);
      else if (others)
        numbers += one.size();
    return numbers * plan.bytes_of_number();
  }
};

static_assert(exchange<power_gossip<>>);

}  // namespace gossip
