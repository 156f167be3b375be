// Clipped gossip. L. He, S. P. Karimireddy, M. Jaggi, "Byzantine-robust decentralized learning via
// self-centered clipping", arXiv 2202.01545 (2022), Algorithm 1 with one radius for all.
#pragma once

#include <cstddef>
#include <vector>

#include <gossip/core/described.hpp>
#include <gossip/exchange/d_psgd.hpp>
#include <gossip/mixing/metropolis_hastings.hpp>
#include <gossip/op/column.hpp>
#include <gossip/op/row_reduction.hpp>
#include <gossip/op/scalar.hpp>
#include <gossip/plan/exchange.hpp>
#include <gossip/plan/row_name.hpp>
#include <gossip/plan/scalar_handle.hpp>

namespace gossip {

/// Nodes step, then x_i <- x_i + sum_j w_ij min(1, radius / |x_j - x_i|) (x_j - x_i), all at once:
/// what one neighbor says moves a node no further than its weight times the radius. An infinite
/// radius is D-PSGD, up to rounding. One row a node; statistics of batch normalisation stay.
template <weight_rule Weights = metropolis_hastings>
struct clipped_gossip {
  double radius = 1.0;
  Weights rule{};

  static constexpr std::size_t rows = 1;
  static constexpr row_name next = exchange_row(0);

  void on_round(auto &plan, round_number k) const {
    plan.train_all();
    plan.step_all();
    plan.assign_all(next, {{1, model_row}});
    auto const each_neighbor = [&](auto f) {
      for (node i = 0; i < plan.nodes(); ++i) {
        auto const [columns, weights] = plan.weights(k).row(i);
        for (std::size_t l = 0; l < columns.size(); ++l)
          if (columns[l] != i) f(i, columns[l], weights[l]);
      }
    };
    std::vector<scalar> distances;
    each_neighbor([&](node i, node j, double) {
      distances.push_back(plan.reduce(op::squared_distance{}, i, {model_row}, j, model_row));
    });
    std::size_t arc = 0;
    each_neighbor([&](node i, node j, double weight) {
      scalar const clip = plan.compute(op::clip_factor{}, i, {distances[arc++]}, {radius});
      plan.apply(op::add_difference{}, i, {next, model_row}, j, model_row, {weight, clip});
    });
    plan.assign_all(model_row, {{1, next}});
  }
  static constexpr exchange_properties properties() { return {.gradient_waits = false}; }

  auto weights(graph const &g) const { return rule.weights(g); }
  void check(graph const &g) const { check_weights("clipped_gossip", g, rule); }

  static constexpr char const *name = "clipped_gossip";
  static constexpr char const *meaning =
      "He et al. 2022: D-PSGD with neighbors' models clipped to a radius around the node's own";
  static constexpr auto members() {
    return member_list{
        described("radius", &clipped_gossip::radius, "clipping radius around the node's own model"),
        described("weights", &clipped_gossip::rule, "mixing weights")};
  }
};

static_assert(exchange<clipped_gossip<>>);

}  // namespace gossip
