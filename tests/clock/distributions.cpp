// Compute times against the distributions that they are drawn from: closed forms, and quantiles
// that SciPy 1.17.1 computes (scipy.stats.gamma(shape, scale=1/shape).ppf).
#include <gossip/clock/clock.hpp>
#include <gossip/clock/gamma_time.hpp>
#include <gossip/clock/pareto_time.hpp>
#include <gossip/clock/shifted_exponential_time.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "../catch.hpp"

using namespace std::chrono_literals;

using gossip::gamma_time;
using gossip::node;
using gossip::pareto_time;
using gossip::shifted_exponential_time;
using gossip::virtual_time;

namespace {

constexpr std::size_t times_drawn = 40'000;

/// Times of ten nodes in units of the mean, ascending.
template <class Model>
std::vector<double> sorted_times(Model const &model) {
  auto const prepared = model.prepare();
  std::vector<double> times(times_drawn);
  for (std::size_t k = 0; k < times.size(); ++k)
    times[k] =
        static_cast<double>(prepared.duration(11, static_cast<node>(k % 10), k / 10).count()) /
        static_cast<double>(model.mean.count());
  std::ranges::sort(times);
  return times;
}

/// The Kolmogorov-Smirnov distance to a distribution function.
template <class F>
double distance_to(std::vector<double> const &times, F distribution) {
  double largest = 0.0;
  auto const n = static_cast<double>(times.size());
  for (std::size_t k = 0; k < times.size(); ++k) {
    double const expected = distribution(times[k]), below = static_cast<double>(k) / n;
    largest = std::max({largest, expected - below, below + 1.0 / n - expected});
  }
  return largest;
}

/// What the distance exceeds once in 10,000 samples: sqrt(ln(2 / 0.0001) / (2 n)).
double const largest_distance = std::sqrt(std::log(2e4) / (2.0 * times_drawn));

double mean_of(std::vector<double> const &times) {
  double sum = 0.0;
  for (double const t : times) sum += t;
  return sum / static_cast<double>(times.size());
}
double variance_of(std::vector<double> const &times) {
  double const mean = mean_of(times);
  double sum = 0.0;
  for (double const t : times) sum += (t - mean) * (t - mean);
  return sum / static_cast<double>(times.size());
}
double share_above(std::vector<double> const &times, double t) {
  auto const above = times.end() - std::ranges::upper_bound(times, t);
  return static_cast<double>(above) / static_cast<double>(times.size());
}
/// Five standard deviations of such a share.
double share_error(double p) {
  return 5.0 * std::sqrt(p * (1.0 - p) / static_cast<double>(times_drawn));
}

}  // namespace

TEST_CASE("shifted exponential times are those of their distribution", "[clock]") {
  auto const times = sorted_times(shifted_exponential_time{.mean = 10ms, .shift = 6ms});
  CHECK(distance_to(times, [](double t) {
          return t < 0.6 ? 0.0 : 1.0 - std::exp((0.6 - t) / 0.4);
        }) < largest_distance);
  CHECK(distance_to(times, [](double t) {
          return t < 0.6 ? 0.0 : 1.0 - std::exp((0.6 - t) / 0.42);
        }) > largest_distance);
  CHECK(times.front() >= 0.6);
  double const root = std::sqrt(static_cast<double>(times_drawn));
  CHECK(mean_of(times) == Approx(1.0).margin(5.0 * 0.4 / root));
  // The fourth central moment is 9 scale^4, so the variance of the variance 8 scale^4 / n.
  CHECK(variance_of(times) == Approx(0.16).margin(5.0 * std::sqrt(8.0) * 0.16 / root));
  CHECK(share_above(times, 0.6 + 3 * 0.4) ==
        Approx(std::exp(-3.0)).margin(share_error(std::exp(-3.0))));
  auto const unshifted = sorted_times(shifted_exponential_time{.mean = 1s, .shift = 0ns});
  CHECK(distance_to(unshifted, [](double t) { return 1.0 - std::exp(-t); }) < largest_distance);
  auto const constant = shifted_exponential_time{.mean = 5ms, .shift = 5ms};
  CHECK(constant.duration(1, 2, 3) == 5ms);
}

TEST_CASE("gamma times are those of their distribution", "[clock]") {
  auto const with = [](double shape) {
    return sorted_times(gamma_time{.mean = 1s, .shape = shape});
  };
  CHECK(distance_to(with(1), [](double t) { return 1.0 - std::exp(-t); }) < largest_distance);
  auto const erlang = [](double t) {  // of shape 3: 1 - e^-x (1 + x + x^2 / 2), x = 3 t
    return 1.0 - std::exp(-3 * t) * (1.0 + 3 * t + 4.5 * t * t);
  };
  CHECK(distance_to(with(3), erlang) < largest_distance);
  CHECK(distance_to(with(3.5), erlang) > largest_distance);
  CHECK(distance_to(with(0.5), [](double t) { return std::erf(std::sqrt(t / 2)); }) <
        largest_distance);
  double const root = std::sqrt(static_cast<double>(times_drawn));
  for (double const shape : {0.5, 2.5, 100.0}) {
    auto const times = with(shape);
    CHECK(mean_of(times) == Approx(1.0).margin(5.0 / std::sqrt(shape) / root));
    // Excess kurtosis 6 / shape.
    CHECK(variance_of(times) ==
          Approx(1.0 / shape).margin(5.0 * std::sqrt(2.0 + 6.0 / shape) / shape / root));
  }
}

TEST_CASE("gamma times have the quantiles that SciPy computes", "[clock]") {
  constexpr std::array shares{0.01, 0.1, 0.5, 0.9, 0.99};
  auto const compare = [&](double shape, std::array<double, 5> const &quantiles) {
    auto const times = sorted_times(gamma_time{.mean = 1s, .shape = shape});
    for (std::size_t k = 0; k < shares.size(); ++k)
      CHECK(share_above(times, quantiles[k]) ==
            Approx(1.0 - shares[k]).margin(share_error(shares[k])));
  };
  compare(0.7, {0.0017323186058590605, 0.04735071107776201, 0.5820339263949161, 2.5101835867206006,
                5.536769538914516});
  compare(2.5, {0.11085961534565546, 0.32206159739246454, 0.8702920382191053, 1.8472713799562248,
                3.017254493877798});
}

TEST_CASE("Pareto times are those of their distribution", "[clock]") {
  auto const with = [](double shape) {
    return sorted_times(pareto_time{.mean = 1s, .shape = shape});
  };
  auto const exact = [](double shape) {
    double const scale = (shape - 1) / shape;
    return [=](double t) { return t < scale ? 0.0 : 1.0 - std::pow(scale / t, shape); };
  };
  for (double const shape : {1.2, 1.5, 3.0}) {
    CHECK(distance_to(with(shape), exact(shape)) < largest_distance);
    CHECK(distance_to(with(shape), exact(1.05 * shape)) > largest_distance);
  }
  // A tail without a variance: one time of 1000 is a hundred times the least.
  CHECK(share_above(with(1.5), 100.0 / 3) == Approx(1e-3).margin(share_error(1e-3)));
  auto const light = with(10);
  double const root = std::sqrt(static_cast<double>(times_drawn));
  double const variance = 0.81 * 10 / (81 * 8.0);  // scale^2 shape / ((shape - 1)^2 (shape - 2))
  CHECK(mean_of(light) == Approx(1.0).margin(5.0 * std::sqrt(variance) / root));
  // Excess kurtosis 6 (a^3 + a^2 - 6 a - 2) / (a (a - 3) (a - 4)), 14.83 for a = 10.
  CHECK(variance_of(light) == Approx(variance).margin(5.0 * std::sqrt(16.83) * variance / root));
}

TEST_CASE("drawn times are the same everywhere and depend on their key alone", "[clock]") {
  // From Philox4x32-10, logarithm and power in Python.
  shifted_exponential_time const shifted{};
  CHECK(shifted.duration(5, 0, 0).count() == 8'500'609);
  CHECK(shifted.duration(5, 3, 1).count() == 10'593'124);
  CHECK(shifted.duration(5, 7, 1000).count() == 9'667'765);
  pareto_time const pareto{};
  CHECK(pareto.duration(5, 0, 0).count() == 7'246'763);
  CHECK(pareto.duration(5, 3, 1).count() == 10'270'825);
  CHECK(pareto.duration(5, 7, 1000).count() == 8'802'896);
  auto const pure = [](auto const &model) {
    virtual_time const first = model.duration(1, 2, 3);
    CHECK(model.duration(2, 2, 3) != first);
    CHECK(model.duration(1, 3, 3) != first);
    CHECK(model.duration(1, 2, 4) != first);
    auto const prepared = model.prepare();
    CHECK(prepared.duration(1, 2, 3) == first);
    for (std::uint64_t step = 0; step < 100; ++step) CHECK(prepared.duration(9, 0, step) >= 1ns);
  };
  pure(shifted), pure(pareto), pure(gamma_time{});
  CHECK(gamma_time{.mean = 1ns, .shape = 0.001}.duration(1, 0, 0) >= 1ns);
}

TEST_CASE("distributions that do not exist are refused, in a sentence", "[clock]") {
  double const nan = std::numeric_limits<double>::quiet_NaN();
  auto const refused = [](auto const &model, std::string const &sentence) {
    CHECK_THROWS_WITH(model.prepare(), sentence);
    CHECK_THROWS_AS(model.duration(1, 0, 0), gossip::input_error);
  };
  refused(shifted_exponential_time{.mean = 0ns},
          "shifted_exponential_time: mean: expected at least 1 ns, got 0 ns");
  refused(shifted_exponential_time{.mean = 5ns, .shift = 6ns},
          "shifted_exponential_time: shift: expected 0 ns to the mean, 5 ns, got 6 ns");
  refused(shifted_exponential_time{.shift = -1ns},
          "shifted_exponential_time: shift: expected 0 ns to the mean, 10000000 ns, got -1 ns");
  refused(gamma_time{.mean = -1ns}, "gamma_time: mean: expected at least 1 ns, got -1 ns");
  refused(gamma_time{.shape = 0.0},
          "gamma_time: shape: expected a number from 0.001 to 1000000000, got 0");
  refused(gamma_time{.shape = nan},
          "gamma_time: shape: expected a number from 0.001 to 1000000000, got nan");
  refused(pareto_time{.mean = 0ns}, "pareto_time: mean: expected at least 1 ns, got 0 ns");
  refused(pareto_time{.shape = 1.0},
          "pareto_time: shape: expected a number above 1 and at most 1000000000, got 1");
  refused(pareto_time{.shape = nan},
          "pareto_time: shape: expected a number above 1 and at most 1000000000, got nan");
  pareto_time const wild{.mean = virtual_time::max(), .shape = 1.1};
  CHECK_THROWS_AS(
      [&] {
        for (std::uint64_t step = 0; step < 10'000; ++step) wild.duration(1, 0, step);
      }(),
      gossip::input_error);
}
