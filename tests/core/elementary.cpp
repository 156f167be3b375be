// Elementary functions against the C library's in long double.
#include <gossip/core/elementary.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>

#include <gossip/core/random.hpp>

#include "../catch.hpp"

namespace elementary = gossip::elementary;

namespace {

constexpr long double pi = 3.14159265358979323846264338327950288L;

/// The relative error in units in the last place, 2^-52.
double error(double got, long double exact) {
  if (exact == 0.0L) return got == 0.0 ? 0.0 : INFINITY;
  return static_cast<double>(std::abs((got - exact) / exact) * 0x1p52L);
}

gossip::keyed_random random_numbers() {
  return {1, gossip::purpose::user, 0, 0};
}

/// cos(2 pi t) by the function whose argument is exact near its zero.
long double exact_cos_turn(long double t) {
  long double const half = std::min(t, 1.0L - t);
  long double const from_quarter = 0.25L - half;
  if (std::abs(from_quarter) < 0.125L) return std::sin(2 * pi * from_quarter);
  return std::cos(2 * pi * half);
}

}  // namespace

TEST_CASE("log stays below 4 units in the last place", "[core]") {
  auto random = random_numbers();
  double worst = 0.0;
  auto const look = [&](double x) {
    worst = std::max(worst, error(elementary::log(x), std::log(static_cast<long double>(x))));
  };
  for (int k = 0; k < 100'000; ++k) {
    look(random.uniform() + 0x1p-53);
    look(1.0 + (random.uniform() - 0.5) * 0x1p-10);
    look(std::ldexp(1.0 + random.uniform(), static_cast<int>(random.below(2044)) - 1022));
  }
  for (int e = -1022; e < 1024; ++e)
    for (double const m : {1.0, 1.0 + 0x1p-52, std::sqrt(0.5) * 2, 2.0 - 0x1p-52})
      look(std::ldexp(m, e));
  look(1.0 - 0x1p-53);
  CHECK(worst < 4.0);
  CHECK(elementary::log(1.0) == 0.0);
}

TEST_CASE("exp stays below 4 units in the last place", "[core]") {
  auto random = random_numbers();
  double worst = 0.0;
  auto const look = [&](double x) {
    worst = std::max(worst, error(elementary::exp(x), std::exp(static_cast<long double>(x))));
  };
  for (int k = 0; k < 100'000; ++k) {
    look((2.0 * random.uniform() - 1.0) * 700.0);
    look(2.0 * random.uniform() - 1.0);
    look((random.uniform() - 0.5) * 0x1p-20);
  }
  for (int k = -1000; k <= 1000; ++k) {
    double const edge = k * elementary::ln2 / 2;  // a boundary of the argument reduction
    for (double const x : {edge, std::nextafter(edge, 1e9), std::nextafter(edge, -1e9)}) look(x);
  }
  CHECK(worst < 4.0);
  CHECK(elementary::exp(0.0) == 1.0);
}

TEST_CASE("cos of a turn stays below 4 units in the last place", "[core]") {
  auto random = random_numbers();
  double worst = 0.0;
  auto const look = [&](double t) {
    worst = std::max(worst, error(elementary::cos_turn(t), exact_cos_turn(t)));
  };
  for (int k = 0; k < 100'000; ++k) {
    look(random.uniform());
    for (double const zero : {0.25, 0.75}) look(zero + (random.uniform() - 0.5) * 0x1p-20);
  }
  for (int eighth = 0; eighth < 8; ++eighth)
    for (double const away : {-0x1p-53, 0.0, 0x1p-52})
      if (eighth / 8.0 + away >= 0.0) look(eighth / 8.0 + away);
  CHECK(worst < 4.0);
  CHECK(elementary::cos_turn(0.0) == 1.0);
  CHECK(elementary::cos_turn(0.25) == 0.0);
  CHECK(elementary::cos_turn(0.5) == -1.0);
  CHECK(elementary::cos_turn(0.75) == 0.0);
}

TEST_CASE("the functions have the same bits when the compiler computes them", "[core]") {
  constexpr double log_then = elementary::log(0.1), exp_then = elementary::exp(-1.5),
                   cos_then = elementary::cos_turn(0.3);
  double volatile a = 0.1, b = -1.5, c = 0.3;
  CHECK(elementary::log(a) == log_then);
  CHECK(elementary::exp(b) == exp_then);
  CHECK(elementary::cos_turn(c) == cos_then);
}
