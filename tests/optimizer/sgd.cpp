// Stochastic gradient descent against its recurrences and closed forms.
#include <gossip/optimizer/sgd.hpp>

#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

#include "optimizers.hpp"

using gossip::sgd;
using gossip::test::walk;
using gossip::test::wavy;

namespace {

/// PyTorch's form, written as one loop.
double reference(sgd const &o, int steps, double x) {
  double velocity = 0.0;
  for (int t = 1; t <= steps; ++t) {
    double const g = wavy(t, x) + o.weight_decay * x;
    if (o.momentum == 0.0) {
      x = x - o.rate * g;
      continue;
    }
    velocity = o.momentum * velocity + g;
    x = x - o.rate * (o.nesterov ? g + o.momentum * velocity : velocity);
  }
  return x;
}

std::vector<sgd> const all{
    {.rate = 0.1},
    {.rate = 0.1, .weight_decay = 0.3},
    {.rate = 0.1, .momentum = 0.9},
    {.rate = 0.1, .momentum = 0.5, .weight_decay = 0.2},
    {.rate = 0.1, .momentum = 0.9, .nesterov = true},
    {.rate = 0.1, .momentum = 0.6, .nesterov = true, .weight_decay = 0.2},
};

}  // namespace

TEST_CASE("sgd of every kind keeps the laws of an optimizer", "[optimizer]") {
  for (sgd const &o : all) gossip::test::check_optimizer(o);
}

TEST_CASE("sgd follows its recurrence", "[optimizer]") {
  for (sgd const &o : all)
    for (bool const waits : {false, true})
      for (int const steps : {1, 2, 3, 17}) {
        CAPTURE(o.momentum, o.nesterov, o.weight_decay, waits, steps);
        CHECK(walk(o, waits, steps, 1.5, wavy) ==
              Approx(reference(o, steps, 1.5)).epsilon(1e-14).margin(1e-15));
      }
}

TEST_CASE("rows a node are those of the table", "[optimizer]") {
  sgd const plain{}, heavy{.momentum = 0.9}, nesterov{.momentum = 0.9, .nesterov = true};
  CHECK(plain.rows(false) == 0);
  CHECK(heavy.rows(false) == 1);
  CHECK(nesterov.rows(false) == 1);
  CHECK(plain.rows(true) == 1);
  CHECK(heavy.rows(true) == 1);
  CHECK(nesterov.rows(true) == 2);
}

TEST_CASE("two steps by hand", "[optimizer]") {
  auto const one = [](int, double) { return 1.0; };
  CHECK(walk(sgd{.rate = 0.5}, false, 2, 3.0, one) == 2.0);
  CHECK(walk(sgd{.rate = 0.5, .momentum = 0.5}, false, 2, 3.0, one) == 1.75);
  CHECK(walk(sgd{.rate = 0.5, .momentum = 0.5, .nesterov = true}, false, 2, 3.0, one) == 1.375);
}

TEST_CASE("momentum under a constant gradient runs ahead as the series says", "[optimizer]") {
  double const m = 0.9, rate = 0.01, g = 2.0;
  auto const constant = [g](int, double) { return g; };
  for (int const t : {1, 2, 3, 17, 200}) {
    double const share = (1 - std::pow(m, t)) / (1 - m);  // u_t = share g
    double const heavy = rate * g / (1 - m) * (t - m * share);
    double const nesterov = rate * g * t + m * heavy;
    CHECK(walk(sgd{.rate = rate, .momentum = m}, true, t, 0.0, constant) ==
          Approx(-heavy).epsilon(1e-12));
    CHECK(walk(sgd{.rate = rate, .momentum = m, .nesterov = true}, true, t, 0.0, constant) ==
          Approx(-nesterov).epsilon(1e-12));
  }
}

TEST_CASE("decay alone shrinks a parameter by the same factor at every step", "[optimizer]") {
  auto const none = [](int, double) { return 0.0; };
  CHECK(walk(sgd{.rate = 0.1, .weight_decay = 0.5}, false, 10, 4.0, none) ==
        Approx(4.0 * std::pow(0.95, 10)).epsilon(1e-14));
}

TEST_CASE("decay belongs to the point where the gradient was taken", "[optimizer]") {
  for (sgd const &o : all) {
    if (o.weight_decay == 0.0) continue;
    auto const arithmetic = gossip::arithmetic<double>(o, true);
    double x = 2.0, rows[2] = {0.0, 0.0};
    gossip::column_range<double> const range{0, 1, &x, {&rows[0], &rows[1]}};
    double const g = 1.0;
    arithmetic.absorb(&g, range);
    x = 100.0;  // neighbours average in between
    arithmetic.step(arithmetic.scale(o.rate, 1), range);
    double const decayed = 1.0 + o.weight_decay * 2.0;
    CHECK(x == Approx(100.0 - o.rate * decayed * (o.nesterov ? 1 + o.momentum : 1)));
  }
}

TEST_CASE("a momentum of 0 is no momentum, and a rate of 0 no step", "[optimizer]") {
  CHECK(walk(sgd{.rate = 0.1, .momentum = 0.0}, true, 5, 1.0, wavy) ==
        walk(sgd{.rate = 0.1}, false, 5, 1.0, wavy));
  CHECK(walk(sgd{.rate = 0.0, .momentum = 0.9}, false, 5, 1.0, wavy) == 1.0);
}

TEST_CASE("senseless values of sgd are refused in a sentence", "[optimizer]") {
  double const nan = std::numeric_limits<double>::quiet_NaN();
  auto const check = [](sgd const &o) { o.check(); };
  CHECK_THROWS_WITH(check({.rate = -0.1}), "sgd: expected a finite rate >= 0, got -0.1");
  CHECK_THROWS_AS(check({.rate = nan}), gossip::input_error);
  CHECK_THROWS_WITH(check({.momentum = 1.0}), "sgd: expected momentum in [0, 1), got 1");
  CHECK_THROWS_AS(check({.momentum = -0.1}), gossip::input_error);
  CHECK_THROWS_AS(check({.momentum = nan}), gossip::input_error);
  CHECK_THROWS_WITH(check({.weight_decay = -1.0}),
                    "sgd: expected a finite weight_decay >= 0, got -1");
  CHECK_THROWS_AS(check({.weight_decay = nan}), gossip::input_error);
  CHECK_THROWS_WITH(check({.nesterov = true}),
                    "sgd: expected a momentum with nesterov, got momentum 0");
  CHECK_NOTHROW(check({}));
  CHECK_NOTHROW(check({.rate = 0.0, .momentum = 0.999}));
}

TEST_CASE("rates that are infinite are refused", "[optimizer]") {
  double const infinite = std::numeric_limits<double>::infinity();
  CHECK_THROWS_AS(sgd{.rate = infinite}.check(), gossip::input_error);
  CHECK_THROWS_AS(sgd{.weight_decay = infinite}.check(), gossip::input_error);
}
