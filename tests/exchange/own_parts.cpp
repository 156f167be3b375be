// Parts of exchanges of a user's own: a function of columns, a codec, a rule, an attack. The page
// of exchanges quotes them.
#include <gossip/attack/attack.hpp>
#include <gossip/exchange/choco_sgd.hpp>
#include <gossip/exchange/robust_gossip.hpp>
#include <gossip/topology/complete.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "conformance.hpp"
#include "late_functions.hpp"
#include "networks.hpp"

namespace gossip::test::own_parts {

namespace {

// quote threshold
/// x_0 <- x_0 less c_0 of its magnitude, 0 where it has less.
struct soft_threshold {
  static constexpr std::size_t rows = 1, coefficients = 1;
  static constexpr std::uint32_t reads = 0b1, writes = 0b1;

  template <class T>
  constexpr void operator()(T const *c, T *x) const {
    x[0] = x[0] > c[0] ? x[0] - c[0] : x[0] < -c[0] ? x[0] + c[0] : T{0};
  }
};

/// D-PSGD whose models become sparse: behind every step a proximal one of the 1-norm.
struct sparse_models {
  double penalty = 0.01;

  static constexpr std::size_t rows = 0;  // of its own, besides the models

  void on_round(auto &plan, round_number k) const {
    plan.train_all();
    plan.step_all();
    for (node i = 0; i < plan.nodes(); ++i)
      plan.apply(soft_threshold{}, i, {model_row}, {plan.rate() * penalty});
    plan.mix_all(plan.weights(k));
  }
  auto weights(graph const &g) const { return metropolis_hastings{}.weights(g); }
  static constexpr exchange_properties properties() { return {.gradient_waits = false}; }
};
// end quote

// quote codec
/// x_0 <- the nearest whole multiple of c_0, at most 127 of them.
struct to_grid {
  static constexpr std::size_t rows = 1, coefficients = 1;
  static constexpr std::uint32_t reads = 0b1, writes = 0b1;

  template <class T>
  constexpr void operator()(T const *c, T *x) const {
    T const steps = std::clamp(x[0] / c[0], T{-127}, T{127});
    x[0] = c[0] * static_cast<T>(static_cast<int>(steps + (steps < T{0} ? T(-0.5) : T(0.5))));
  }
};

/// Every number in a byte, as a multiple of `step`.
struct byte_grid {
  double step = 0.01;

  using function = to_grid;
  std::array<double, 1> coefficients(std::size_t) const { return {step}; }
  std::size_t bytes(std::size_t columns, std::size_t) const { return columns; }
  void check() const {
    if (!(step > 0)) throw input_error("byte_grid: step", "above 0", std::to_string(step));
  }
};
static_assert(row_codec<byte_grid>);
// end quote

// quote rule
/// Half of the way from a node's own model to the median of every number.
struct halfway_to_median {
  static constexpr std::size_t rows = 1;

  void aggregate(auto &plan, mixing_matrix const &w) const {
    plan.assign_all(own, {{1, model_row}});
    plan.mix_all_by(op::coordinate_median{}, model_row, w);
    plan.assign_all(model_row, {{0.5, model_row}, {0.5, own}});
  }
  static void check(graph const &) {}

 private:
  static constexpr row_name own = exchange_row(0);
};
static_assert(aggregation_rule<halfway_to_median>);
// end quote

// quote attack
/// Attackers go away from the mean of the honest, `scale` times as far as they are from it.
struct overshoot {
  double scale = 10;
  static constexpr std::size_t rows = 1;

  void disturb(auto &plan, std::vector<node> const &attackers,
               std::vector<node> const &honest) const {
    for (node const b : attackers) {
      attack::take_mean(plan, b, mean, honest);
      plan.assign(b, model_row, {{1 + scale, model_row}, {-scale, mean}});
    }
  }
  void check() const {
    if (!(scale > 0)) throw input_error("overshoot: scale", "above 0", std::to_string(scale));
  }

 private:
  static constexpr row_name mean = exchange_row(0);
};
static_assert(attack_model<overshoot>);
// end quote

/// Models after one round from 0 with a step of half of the way to the nodes' optima.
template <class Exchange, class Topology>
std::vector<std::vector<double>> models(Exchange const &exchange, Topology const &topology,
                                        node_values const &optima) {
  simulator network{topology,          quadratic<2>{.optimum = optima},
                    sgd{.rate = 0.5},  exchange,
                    numbers<double>{}, cpu{.threads = 1}};
  return watched(network, {.stop = rounds{1}}, at_the_end).seen.back().rows;
}

}  // namespace

TEST_CASE("a function of one's own makes models sparse", "[exchange]") {
  auto const x = models(sparse_models{.penalty = 2}, complete{2}, {{{8, 1}, {4, -6}}});
  for (std::size_t i : {0, 1}) {  // the means of {4 - 1, 0} and {2 - 1, -3 + 1}
    CHECK(x[i][0] == Approx(2));
    CHECK(x[i][1] == Approx(-1));
  }
}

TEST_CASE("functions of one's own that are named late keep the laws of exchanges", "[exchange]") {
  check_exchange(late_functions{}, {.keeps_mean = false, .reaches_mean = false});
}

TEST_CASE("a codec of one's own says what receivers decode", "[exchange]") {
  choco_sgd<byte_grid> const exchange{.code = {.step = 1}, .share = 1};
  auto const x = models(exchange, complete{2}, {{{8, 1}, {4, -6}}});
  // Models {4, 0.5} and {2, -3}, of which {4, 1} and {2, -3} are known.
  CHECK(x[0] == std::vector<double>{4 + 0.5 * (2 - 4), 0.5 + 0.5 * (-3 - 1)});
  CHECK(x[1] == std::vector<double>{2 + 0.5 * (4 - 2), -3 + 0.5 * (1 + 3)});
  CHECK(models(choco_sgd<byte_grid>{.code = {.step = 0.01}, .share = 1}, complete{2},
               {{{8, 1}, {4, -6}}})[0][0] == Approx(4 + 0.5 * (1.27 - 1.27)));
}

TEST_CASE("a rule of one's own aggregates, an attack of one's own disturbs", "[exchange]") {
  robust_gossip<halfway_to_median, overshoot> const exchange{.attack = {.scale = 2},
                                                             .attackers = 1};
  auto const x = models(exchange, complete{3}, {{{2, 0}, {4, 8}, {12, -2}}});
  // Models {1, 0}, {2, 4}, {6, -1}; the last becomes 3 times itself less 2 times {1.5, 2}.
  CHECK(x[0] == std::vector<double>{0.5 * (1 + 2), 0});
  CHECK(x[1] == std::vector<double>{2, 0.5 * (4 + 0)});
  CHECK(x[2] == std::vector<double>{0.5 * (15 + 2), 0.5 * (-7 + 0)});
  CHECK_THROWS_WITH((robust_gossip<halfway_to_median, overshoot>{.attack = {.scale = 0}}.check(
                        complete{3}.build())),
                    contains("overshoot: scale: expected above 0"));
}

}  // namespace gossip::test::own_parts
