// Adam and AdamW against their recurrences and closed forms.
#include <gossip/optimizer/adam.hpp>

#include <cmath>
#include <limits>
#include <vector>

#include <gossip/optimizer/sgd.hpp>

#include "optimizers.hpp"

using gossip::adam;
using gossip::adamw;
using gossip::test::walk;
using gossip::test::wavy;

namespace {

/// Algorithm 1 of Kingma and Ba with bias-corrected moments; decay where the variant has it.
template <class Adam>
double reference(Adam const &o, int steps, double x, double coupled, double decoupled) {
  double m = 0.0, v = 0.0;
  for (int t = 1; t <= steps; ++t) {
    double const g = wavy(t, x) + coupled * x;
    m = o.first_decay * m + (1 - o.first_decay) * g;
    v = o.second_decay * v + (1 - o.second_decay) * g * g;
    double const first = m / (1 - std::pow(o.first_decay, t));
    double const second = v / (1 - std::pow(o.second_decay, t));
    x = x - o.rate * decoupled * x - o.rate * first / (std::sqrt(second) + o.epsilon);
  }
  return x;
}

template <class Adam>
void check_refusals(std::string const &name) {
  double const nan = std::numeric_limits<double>::quiet_NaN();
  double const infinite = std::numeric_limits<double>::infinity();
  auto const check = [](Adam const &o) { o.check(); };
  CHECK_THROWS_WITH(check({.rate = -1.0}), name + ": expected a finite rate >= 0, got -1");
  CHECK_THROWS_AS(check({.rate = nan}), gossip::input_error);
  CHECK_THROWS_AS(check({.rate = infinite}), gossip::input_error);
  CHECK_THROWS_WITH(check({.first_decay = 1.0}),
                    name +
                        ": expected first_decay and second_decay in [0, 1), got 1 and "
                        "0.999");
  CHECK_THROWS_AS(check({.second_decay = -0.1}), gossip::input_error);
  CHECK_THROWS_AS(check({.second_decay = nan}), gossip::input_error);
  CHECK_THROWS_WITH(check({.epsilon = 0.0}), name + ": expected epsilon > 0, got 0");
  CHECK_THROWS_WITH(check({.weight_decay = -1.0}),
                    name + ": expected a finite weight_decay >= 0, got -1");
  CHECK_NOTHROW(check({}));
}

}  // namespace

TEST_CASE("adam and adamw keep the laws of an optimizer", "[optimizer]") {
  gossip::test::check_optimizer(adam{.rate = 0.1});
  gossip::test::check_optimizer(adam{.rate = 0.1, .weight_decay = 0.2});
  gossip::test::check_optimizer(adamw{.rate = 0.1});
  gossip::test::check_optimizer(adamw{.rate = 0.1, .first_decay = 0.0, .weight_decay = 0.2});
}

TEST_CASE("adam and adamw take two rows, waiting or not", "[optimizer]") {
  for (bool const waits : {false, true}) {
    CHECK(adam{}.rows(waits) == 2);
    CHECK(adamw{}.rows(waits) == 2);
  }
}

TEST_CASE("adam and adamw keep squares of gradients, sgd does not", "[optimizer]") {
  CHECK(gossip::keeps_squares<adam>);
  CHECK(gossip::keeps_squares<adamw>);
  CHECK_FALSE(gossip::keeps_squares<gossip::sgd>);
}

TEST_CASE("adam and adamw follow their recurrences", "[optimizer]") {
  adam const coupled{.rate = 0.05, .first_decay = 0.8, .second_decay = 0.95, .weight_decay = 0.3};
  adamw const decoupled{
      .rate = 0.05, .first_decay = 0.8, .second_decay = 0.95, .weight_decay = 0.3};
  for (bool const waits : {false, true})
    for (int const steps : {1, 2, 3, 17}) {
      CAPTURE(waits, steps);
      CHECK(walk(coupled, waits, steps, 1.5, wavy) ==
            Approx(reference(coupled, steps, 1.5, 0.3, 0.0)).epsilon(1e-13));
      CHECK(walk(decoupled, waits, steps, 1.5, wavy) ==
            Approx(reference(decoupled, steps, 1.5, 0.0, 0.3)).epsilon(1e-13));
      CHECK(walk(adam{}, waits, steps, 1.5, wavy) ==
            Approx(reference(adam{}, steps, 1.5, 0.0, 0.0)).epsilon(1e-13));
    }
}

TEST_CASE("adam under a constant gradient takes equal steps of its rate", "[optimizer]") {
  // Corrected moments of a constant g are g and g^2: each step is rate g / (|g| + epsilon).
  for (double const g : {-3.0, 1e-3})
    for (int const t : {1, 2, 3, 17, 100})
      CHECK(walk(adam{.rate = 0.01}, false, t, 0.0, [g](int, double) { return g; }) ==
            Approx(-0.01 * t * g / (std::abs(g) + 1e-8)).epsilon(1e-11));
}

TEST_CASE("adam in float corrects a slow decay as exactly as a quick one", "[optimizer]") {
  for (double const decay : {0.9, 0.999, 0.99999, 0.9999999}) {
    adam const o{.rate = 1.0, .first_decay = decay, .second_decay = decay};
    auto const arithmetic = gossip::arithmetic<float>(o, false);
    float x = 0.0F, rows[2] = {0.0F, 0.0F};
    float const g = 1.0F;
    arithmetic.absorb_and_step(arithmetic.scale(o.rate, 1), &g, {0, 1, &x, {&rows[0], &rows[1]}});
    CAPTURE(decay);
    CHECK(x == Approx(-1.0).epsilon(1e-6));  // a first step is of size rate
  }
}

TEST_CASE("adam does not move where the gradient has always been 0", "[optimizer]") {
  auto const none = [](int, double) { return 0.0; };
  CHECK(walk(adam{}, true, 10, 4.0, none) == 4.0);
}

TEST_CASE("decay of adamw alone shrinks by the same factor at every step", "[optimizer]") {
  auto const none = [](int, double) { return 0.0; };
  CHECK(walk(adamw{.rate = 0.1, .weight_decay = 0.5}, false, 10, 4.0, none) ==
        Approx(4.0 * std::pow(0.95, 10)).epsilon(1e-14));
}

TEST_CASE("decay of adam is taken at the gradient, that of adamw at the step", "[optimizer]") {
  auto const moved_to_100 = [](auto const &o) {
    auto const arithmetic = gossip::arithmetic<double>(o, true);
    double x = 2.0, rows[2] = {0.0, 0.0};
    gossip::column_range<double> const range{0, 1, &x, {&rows[0], &rows[1]}};
    double const g = 1.0;
    arithmetic.absorb(&g, range);
    x = 100.0;  // neighbours average in between
    arithmetic.step(arithmetic.scale(o.rate, 1), range);
    return std::pair{x, rows[0]};
  };
  auto const [coupled, mean] = moved_to_100(adam{.rate = 0.1, .weight_decay = 0.5});
  CHECK(coupled == Approx(99.9));  // a first step is of size rate
  CHECK(mean == Approx(0.1 * (1 + 0.5 * 2)));
  auto const [decoupled, plain_mean] = moved_to_100(adamw{.rate = 0.1, .weight_decay = 0.5});
  CHECK(decoupled == Approx(100 * (1 - 0.05) - 0.1));
  CHECK(plain_mean == Approx(0.1));
}

TEST_CASE("senseless values of adam and adamw are refused in a sentence", "[optimizer]") {
  check_refusals<adam>("adam");
  check_refusals<adamw>("adamw");
}
