// Epochs counted in whole samples, so that nothing is late by a rounding: when a period given in
// epochs is due, and how many epochs a number of node-iterations is.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <utility>

namespace gossip {

/// An epoch is samples / batch node-iterations of the whole network, a whole number or not.
struct epoch_length {
  std::uint64_t batch = 1;    ///< samples of a node-iteration
  std::uint64_t samples = 1;  ///< samples of the training set

  /// The epoch after so many node-iterations, correctly rounded below 2^53 samples: a decimal
  /// number of epochs that was reached exactly equals its literal.
  double after(std::uint64_t node_iterations) const {
    return static_cast<double>(node_iterations) * static_cast<double>(batch) /
           static_cast<double>(samples);
  }
};

/// The frequency of something that recurs: `periods` times in `node_iterations` of the whole
/// network, at the first node-iteration at or beyond each multiple of the quotient.
struct cadence {
  std::uint64_t node_iterations;
  std::uint64_t periods = 1;
};

namespace detail {

__extension__ typedef unsigned __int128 wide_count;

/// Beyond every run.
inline constexpr std::uint64_t most_node_iterations = std::uint64_t{1} << 53;

struct fraction {
  std::uint64_t numerator, denominator;
};

/// The fraction that a number stands for, 1e-12 < value < 1e15: itself where it has nine digits
/// or fewer, such as 1/10 of 0.1; else the first continued fraction within a billionth of
/// it, such as 1/3 of 0.3333333333333333.
inline fraction nearest_fraction(double value) {
  std::uint64_t ten = 1;
  for (double digits = value; ten == 1 || (digits < 1e9 && ten < 1'000'000'000'000'000'000);
       ten *= 10, digits *= 10) {
    std::uint64_t const near = static_cast<std::uint64_t>(digits + 0.5);
    if (std::abs(static_cast<double>(near) - digits) > 1e-14 * digits) continue;
    std::uint64_t const common = std::gcd(near, ten);
    return {near / common, ten / common};
  }
  std::uint64_t const whole = static_cast<std::uint64_t>(value);
  std::uint64_t p0 = 1, q0 = 0, p1 = whole, q1 = 1;
  double rest = value - static_cast<double>(whole);
  while (std::abs(static_cast<double>(p1) / static_cast<double>(q1) - value) > 1e-9 * value) {
    rest = 1.0 / rest;
    std::uint64_t const next = static_cast<std::uint64_t>(rest);
    rest -= static_cast<double>(next);
    p0 = std::exchange(p1, next * p1 + p0);
    q0 = std::exchange(q1, next * q1 + q0);
  }
  return {p1, q1};
}

}  // namespace detail

/// The cadence of a period in epochs, more than 0, taken as the nearest fraction. A period below a
/// node-iteration is due at every one.
inline cadence every_epochs(double period, epoch_length epoch) {
  double const node_iterations =
      period * (static_cast<double>(epoch.samples) / static_cast<double>(epoch.batch));
  if (!(node_iterations > 1.0)) return {1};
  if (!(node_iterations < 1e15)) return {detail::most_node_iterations};
  auto [p, q] = detail::nearest_fraction(period);
  // p samples / (q batch), each pair without common factors before it is multiplied.
  std::uint64_t samples = epoch.samples, batch = epoch.batch;
  auto const reduce = [](std::uint64_t &a, std::uint64_t &b) {
    std::uint64_t const common = std::gcd(a, b);
    a /= common;
    b /= common;
  };
  reduce(samples, batch);
  reduce(p, batch);
  reduce(samples, q);
  if (std::max(static_cast<double>(p) * static_cast<double>(samples),
               static_cast<double>(q) * static_cast<double>(batch)) >= 0x1p63)
    return {static_cast<std::uint64_t>(node_iterations)};
  return {p * samples, q * batch};
}

/// The first node-iteration after `now` at which a cadence is due.
inline std::uint64_t next_due(cadence c, std::uint64_t now) {
  detail::wide_count const multiple = detail::wide_count{now} * c.periods / c.node_iterations + 1;
  return static_cast<std::uint64_t>((multiple * c.node_iterations + c.periods - 1) / c.periods);
}

}  // namespace gossip
