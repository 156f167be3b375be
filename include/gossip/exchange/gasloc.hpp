// GASLoC. P. Cagnasso, E. Belilovsky, E. Oyallon, "Unifying local communications and local updates
// for LLM pretraining", arXiv 2606.11081 (2026).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include <gossip/core/described.hpp>
#include <gossip/exchange/d_psgd.hpp>
#include <gossip/mixing/matching.hpp>
#include <gossip/mixing/matrix.hpp>
#include <gossip/mixing/metropolis_hastings.hpp>
#include <gossip/plan/exchange.hpp>
#include <gossip/plan/row_name.hpp>

namespace gossip {

/// The partners of an outer step: a node's neighbors in the graph, or random pairs of all nodes.
enum class outer_partners { neighbors, random_pairs };

template <>
struct value_names<outer_partners> {
  static constexpr std::array<char const *, 2> names{"neighbors", "random_pairs"};
};

/// From y nodes take `local_steps` steps to x and keep their optimizers; then
/// u = y + outer_rate (x - y), y <- u - share (u - W u) + momentum (u - u of the step before), and
/// at first the u before is y. W are weights of the graph or averages of random pairs, drawn anew,
/// of which the graph does not matter; the paper's Laplacian is I - W. Without momentum, at an
/// outer rate and a share of 1, it is D-PSGD with local steps. The momentum does not move where it
/// ends; with random pairs it must be small, from 0.7 on it drives nodes apart. Two rows a node.
template <weight_rule Weights = metropolis_hastings>
struct gasloc {
  std::uint64_t local_steps = 50;  ///< rounds from one outer step to the next
  double outer_rate = 1.0;
  double momentum = 0.5;  ///< of models behind local steps
  double share = 1.0;     ///< of the mixture that a node takes
  outer_partners partners = outer_partners::neighbors;
  Weights rule{};

  static constexpr std::size_t rows = 2;
  static constexpr row_name start = exchange_row(0), last = exchange_row(1);  // y, the u before

  void on_round(auto &plan, round_number k) const {
    if (k == 0) plan.assign_all(last, {{1, model_row}});
    if (k % local_steps == 0) plan.assign_all(start, {{1, model_row}});
    plan.train_all();
    plan.step_all();
    if ((k + 1) % local_steps != 0) return;
    plan.assign_all(model_row, {{outer_rate, model_row}, {1 - outer_rate, start}});
    plan.assign_all(start, {{1 - share + momentum, model_row}, {-momentum, last}});
    plan.assign_all(last, {{1, model_row}});
    if (partners == outer_partners::neighbors)
      plan.mix_all(plan.weights(k / local_steps));
    else
      plan.mix_all(pair_averages(random_matching(plan.nodes(), [&] { return plan.random(0); })));
    plan.assign_all(model_row, {{share, model_row}, {1, start}});
  }
  constexpr exchange_properties properties() const {
    return {.gradient_waits = false, .rounds = {.period = local_steps, .act = "outer step"}};
  }

  by_round<mixing_matrix> weights(graph const &g) const {
    return partners == outer_partners::neighbors ? weights_by_round(rule, g)
                                                 : by_round<mixing_matrix>();
  }
  void check(graph const &g) const { check_weights("gasloc", g, rule); }

  static constexpr char const *name = "gasloc";
  static constexpr char const *meaning =
      "Cagnasso et al. 2026: local steps, then a mixing step with momentum";
  static constexpr auto members() {
    return member_list{
        described("local_steps", &gasloc::local_steps,
                  "number of local steps between two outer steps", {.least = 1}),
        described("outer_rate", &gasloc::outer_rate, "learning rate of the outer step",
                  {.most = 1e6}),
        described("momentum", &gasloc::momentum, "momentum of the models after local steps",
                  {.most = 1, .below_most = true}),
        described("share", &gasloc::share,
                  "consensus step size: fraction of the mixing step that a node applies",
                  {.most = 1e6}),
        described("partners", &gasloc::partners,
                  "partners of an outer step: neighbors, or random pairs of all nodes"),
        described("weights", &gasloc::rule, "mixing weights")};
  }
};

static_assert(exchange<gasloc<>>);

}  // namespace gossip
