// NoLoCo. J. Kolehmainen, N. Blagoev, J. Donaghy, O. Ersoy, C. Nies, "NoLoCo: no-all-reduce low
// communication training method for large models", arXiv 2506.10911 (2025), with groups of two.
#pragma once

#include <cstddef>
#include <cstdint>

#include <gossip/core/described.hpp>
#include <gossip/mixing/matching.hpp>
#include <gossip/plan/exchange.hpp>
#include <gossip/plan/row_name.hpp>

namespace gossip {

/// From y nodes take `local_steps` steps to x and keep their optimizers; then, with W the averages
/// of random pairs of all nodes, drawn anew, and one alone where their number is odd,
/// m <- outer_momentum m + outer_rate W (x - y) + pull (W y - y), y <- y + m, x <- y: a step of
/// momentum whose last term keeps the nodes together. As the sum is linear a node sends one row,
/// outer_rate (x - y) + pull y. Too strong a pull for the momentum, such as 0.7 for one of 0.9,
/// drives nodes apart, as pairs change. The graph does not matter; two rows a node.
struct noloco {
  std::uint64_t local_steps = 50;  ///< rounds from one outer step to the next
  double outer_rate = 0.7;
  double outer_momentum = 0.5;
  double pull = 0.7;  ///< towards the start of the partner

  static constexpr std::size_t rows = 2;
  static constexpr row_name start = exchange_row(0), outer = exchange_row(1);  // y, m

  void on_round(auto &plan, round_number k) const {
    if (k % local_steps == 0) plan.assign_all(start, {{1, model_row}});
    plan.train_all();
    plan.step_all();
    if ((k + 1) % local_steps != 0) return;
    plan.assign_all(model_row, {{outer_rate, model_row}, {pull - outer_rate, start}});
    plan.mix_all(pair_averages(random_matching(plan.nodes(), [&] { return plan.random(0); })));
    plan.assign_all(outer, {{outer_momentum, outer}, {1, model_row}, {-pull, start}});
    plan.assign_all(model_row, {{1, start}, {1, outer}});
  }
  constexpr exchange_properties properties() const {
    return {.gradient_waits = false,
            .rounds = {.period = local_steps, .act = "outer step"},
            .when_network_changes = network_changes::ignored};
  }

  static constexpr char const *name = "noloco";
  static constexpr char const *meaning =
      "Kolehmainen et al. 2025: local steps, then outer steps of random pairs of nodes";
  static constexpr auto members() {
    return member_list{
        described("local_steps", &noloco::local_steps,
                  "number of local steps between two outer steps", {.least = 1}),
        described("outer_rate", &noloco::outer_rate, "learning rate of the outer step",
                  {.most = 1e6}),
        described("outer_momentum", &noloco::outer_momentum, "momentum of the outer step",
                  {.most = 1, .below_most = true}),
        described("pull", &noloco::pull,
                  "factor on the move towards the pair's mean of the models before the local steps",
                  {.most = 1e6})};
  }
};

static_assert(exchange<noloco>);

}  // namespace gossip
