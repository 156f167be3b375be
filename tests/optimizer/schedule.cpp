// Learning-rate schedules: values at the epochs that matter, and optimizers that carry one.
#include <gossip/optimizer/schedule.hpp>

#include <cmath>
#include <limits>

#include <gossip/optimizer/adam.hpp>
#include <gossip/optimizer/sgd.hpp>

#include "optimizers.hpp"

using gossip::adam;
using gossip::cosine_decay;
using gossip::rate_at;
using gossip::scheduled;
using gossip::sgd;
using gossip::step_decay;
using gossip::warm_up;

TEST_CASE("a constant rate stays", "[optimizer]") {
  CHECK(gossip::constant_rate::factor(0.0) == 1.0);
  CHECK(rate_at(sgd{.rate = 0.3}, 17.0) == 0.3);
  CHECK(rate_at(scheduled{sgd{.rate = 0.3}, gossip::constant_rate{}}, 17.0) == 0.3);
}

TEST_CASE("a step decay multiplies at its epochs", "[optimizer]") {
  step_decay const steps{.at = {2.0, 5.0}, .gamma = 0.5};
  CHECK(steps.factor(0.0) == 1.0);
  CHECK(steps.factor(1.999) == 1.0);
  CHECK(steps.factor(2.0) == 0.5);
  CHECK(steps.factor(4.999) == 0.5);
  CHECK(steps.factor(5.0) == 0.25);
  CHECK(steps.factor(1e9) == 0.25);
  CHECK(step_decay{}.factor(3.0) == 1.0);
}

TEST_CASE("a cosine falls from 1 to its last value", "[optimizer]") {
  cosine_decay const cosine{.epochs = 8.0, .last = 0.2};
  CHECK(cosine.factor(0.0) == 1.0);
  CHECK(cosine.factor(4.0) == Approx(0.6).epsilon(1e-15));
  CHECK(cosine.factor(8.0) == 0.2);
  CHECK(cosine.factor(80.0) == 0.2);
  double before = 1.0;
  for (double epoch = 0.25; epoch <= 8.0; epoch += 0.25) {
    double const pi = std::acos(-1.0);
    CHECK(cosine.factor(epoch) ==
          Approx(0.2 + 0.8 * 0.5 * (1 + std::cos(pi * epoch / 8))).epsilon(1e-14));
    CHECK(cosine.factor(epoch) < before);
    before = cosine.factor(epoch);
  }
}

TEST_CASE("a warm-up rises to 1 and then leaves the word to what follows", "[optimizer]") {
  warm_up<> const ramp{.epochs = 4.0, .first = 0.2};
  CHECK(ramp.factor(0.0) == 0.2);
  CHECK(ramp.factor(2.0) == Approx(0.6).epsilon(1e-15));
  CHECK(ramp.factor(4.0) == 1.0);
  CHECK(ramp.factor(9.0) == 1.0);
  CHECK(warm_up<>{.epochs = 0.0}.factor(0.0) == 1.0);

  warm_up<step_decay> const both{.epochs = 2.0, .first = 0.0, .then = {.at = {3.0}, .gamma = 0.1}};
  CHECK(both.factor(1.0) == 0.5);
  CHECK(both.factor(2.5) == 1.0);
  CHECK(both.factor(3.0) == 0.1);

  warm_up<cosine_decay> const wave{.epochs = 2.0, .then = {.epochs = 8.0}};
  CHECK(wave.factor(1.0) == Approx(0.5 * cosine_decay{.epochs = 8.0}.factor(1.0)));
  CHECK(wave.factor(8.0) == Approx(0.0).margin(1e-15));
}

TEST_CASE("a scheduled optimizer is its base with a rate that changes", "[optimizer]") {
  scheduled const o{sgd{.rate = 0.5, .momentum = 0.9}, step_decay{.at = {1.0}, .gamma = 0.1}};
  static_assert(gossip::optimizer<scheduled<sgd, step_decay>>);
  static_assert(gossip::keeps_squares<scheduled<adam, step_decay>>);
  static_assert(!gossip::keeps_squares<scheduled<sgd, step_decay>>);
  CHECK(o.rate == 0.5);
  CHECK(rate_at(o, 0.0) == 0.5);
  CHECK(rate_at(o, 1.0) == Approx(0.05));
  CHECK(o.rows(false) == o.base.rows(false));
  CHECK(o.rows(true) == o.base.rows(true));
  gossip::test::check_optimizer(o);
  gossip::test::check_optimizer(scheduled{adam{}, cosine_decay{}});
  CHECK(gossip::test::walk(o, true, 9, 1.5, gossip::test::wavy) ==
        gossip::test::walk(o.base, true, 9, 1.5, gossip::test::wavy));
}

TEST_CASE("a scheduled optimizer refuses what its base refuses", "[optimizer]") {
  scheduled const o{sgd{.rate = -1.0}, cosine_decay{}};
  CHECK_THROWS_WITH(o.check(), "sgd: expected a finite rate >= 0, got -1");

  scheduled<sgd, cosine_decay> const other{.base = {}, .rate_factor = {}, .rate = -2.0};
  CHECK_THROWS_WITH(other.check(), "sgd: expected a finite rate >= 0, got -2");
}

namespace {

struct falls_below {
  double factor(double epoch) const { return epoch - 1; }
};

}  // namespace

TEST_CASE("a schedule's values are checked with its optimizer's", "[optimizer]") {
  CHECK_THROWS_WITH((scheduled{sgd{}, step_decay{.at = {1}, .gamma = -3}}.check()),
                    "step_decay: expected gamma >= 0, got -3");
  CHECK_THROWS_WITH((scheduled{sgd{}, cosine_decay{.last = -1}}.check()),
                    "cosine_decay: expected last >= 0, got -1");
  CHECK_THROWS_WITH(
      (scheduled{sgd{}, warm_up<step_decay>{.then = {.at = {1}, .gamma = -3}}}.check()),
      "step_decay: expected gamma >= 0, got -3");
  CHECK_THROWS_WITH((scheduled{sgd{}, falls_below{}}.check()),
                    "schedule: expected a factor >= 0 at epoch 0, got -1");
  CHECK_NOTHROW((scheduled{sgd{}, warm_up<>{.first = 0.0}}.check()));
}

TEST_CASE("a schedule without a factor at the start is refused", "[optimizer]") {
  CHECK_THROWS_WITH((scheduled{sgd{}, warm_up<>{.first = -0.5}}.check()),
                    "warm_up: expected first >= 0, got -0.5");
  CHECK_THROWS_AS((scheduled{sgd{}, cosine_decay{.epochs = 0.0}}.check()), gossip::input_error);
}
