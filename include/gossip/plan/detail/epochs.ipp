// Definitions of plan/epochs.hpp.
#pragma once

#include <gossip/plan/epochs.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include <gossip/core/inline.hpp>

namespace gossip {

namespace detail {

GOSSIP_INLINE fraction nearest_fraction(double value) {
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

GOSSIP_INLINE cadence every_epochs(double period, epoch_length epoch) {
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

}  // namespace gossip
