// A2CiD2. A. Nabli, E. Belilovsky, E. Oyallon, "A2CiD2: accelerating asynchronous communication in
// decentralized deep learning", NeurIPS 2023, Algorithm 1.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>

#include <gossip/core/described.hpp>
#include <gossip/core/elementary.hpp>
#include <gossip/core/error.hpp>
#include <gossip/core/node.hpp>
#include <gossip/graph/graph.hpp>
#include <gossip/mixing/averaging_times.hpp>
#include <gossip/plan/exchange.hpp>
#include <gossip/plan/row_name.hpp>

namespace gossip {

/// AD-PSGD whose nodes have a second row y_i, which a continuous momentum mixes with the model:
/// dx_i = eta (y_i - x_i) dt and dy_i = eta (x_i - y_i) dt between events, in units of `unit`.
/// Steps move both alike. Averages of i and j, d = x_j - x_i: x_i += d / 2, y_i += alpha d, and
/// against it at j. With chi_1 and chi_2 the times of averages (mixing/averaging_times.hpp), eta =
/// 1 / (2 sqrt(chi_1 chi_2)) and alpha = sqrt(chi_1 / chi_2) / 2.
///
/// Apart from the paper: averages come with gradients, one each with a random neighbor, before the
/// step, so that edges have rates 1 / d_i + 1 / d_j a unit; the paper's are Poisson processes.
/// Gradients are taken at x of the start of a training. The sum of all x + y is that of the steps.
struct a2cid2 {
  virtual_time unit{10'000'000};  ///< of a training, on average

  static constexpr std::size_t rows = 2;
  struct node_state {
    virtual_time mixed{0};  ///< when x and y were mixed last
  };
  struct coefficients {
    double eta = 0.0, alpha = 0.0;
  };

  void on_start(auto &plan) const {
    plan.assign_all(partner, {{1, model_row}});
    plan.train_all();
  }

  void on_trained(auto &plan, node i) const {
    catch_up(plan, i);
    if (plan.has_neighbor(i)) average(plan, i, plan.random_neighbor(i));
    plan.step(i, {.displacement = before});
    plan.assign(i, partner, {{1, partner}, {-1, before}});
    plan.train(i);
  }

  /// eta and alpha on this graph; zeros for one node.
  static coefficients prepare(graph const &g) {
    if (g.nodes() < 2) return {};
    auto const inverse = [&g](std::size_t i) { return 1.0 / static_cast<double>(g.degree(i)); };
    auto const times =
        times_of_averages(g, [&](std::size_t i, std::size_t j) { return inverse(i) + inverse(j); });
    return {.eta = 0.5 / std::sqrt(times.algebraic * times.resistance),
            .alpha = 0.5 * std::sqrt(times.algebraic / times.resistance)};
  }

  /// Throws input_error unless the graph is undirected and connected, of at most 2048 nodes.
  void check(graph const &g) const {
    if (g.directed()) throw input_error("a2cid2", "an undirected topology", "a directed topology");
    prepare(g);
  }

  static constexpr char const *name = "a2cid2";
  static constexpr char const *meaning =
      "Nabli et al. 2023: AD-PSGD accelerated by a continuous momentum";
  static constexpr auto members() {
    return member_list{described(
        "unit", &a2cid2::unit,
        "mean duration of a training, which is the unit of time of the momentum", {.least = 1})};
  }

 private:
  static constexpr row_name partner = exchange_row(0), before = exchange_row(1);

  /// The momentum between x and y of node i since they were mixed last.
  void catch_up(auto &plan, node i) const {
    virtual_time const past = plan.now() - plan.state(i).mixed;
    plan.state(i).mixed = plan.now();
    double const units = static_cast<double>(past.count()) / static_cast<double>(unit.count());
    double const apart = elementary::exp(std::max(-600.0, -2.0 * plan.prepared().eta * units));
    double const own = (1.0 + apart) / 2.0, other = (1.0 - apart) / 2.0;
    plan.assign(i, before, {{1, model_row}});
    plan.assign(i, model_row, {{own, model_row}, {other, partner}});
    plan.assign(i, partner, {{own, partner}, {other, before}});
  }

  void average(auto &plan, node i, node j) const {
    catch_up(plan, j);
    for (node const k : {i, j}) plan.assign(k, before, {{1, model_row}});
    plan.average(i, j);
    double const twice = 2.0 * plan.prepared().alpha;  // x has moved by d / 2
    for (node const k : {i, j})
      plan.assign(k, partner, {{1, partner}, {twice, model_row}, {-twice, before}});
  }
};

static_assert(exchange<a2cid2>);

}  // namespace gossip
