// Definitions of observer/norm_dispersion.hpp.
#pragma once

#include <gossip/observer/norm_dispersion.hpp>

#include <algorithm>

#include <gossip/core/inline.hpp>

namespace gossip {

GOSSIP_INLINE dispersion dispersion_of(std::vector<double> values) {
  if (values.empty()) return {};
  auto const n = static_cast<double>(values.size());
  std::sort(values.begin(), values.end());
  double above_least = 0, pairs = 0, squares = 0;  // of differences: equal numbers have none
  for (std::size_t i = 1; i < values.size(); ++i) {
    auto const below = static_cast<double>(i);
    above_least += values[i] - values[0];
    pairs += below * (n - below) * (values[i] - values[i - 1]);
  }
  double const mean = values[0] + above_least / n;
  if (!(mean > 0)) return {};
  for (double const value : values) squares += (value - mean) * (value - mean);
  auto const coefficient = [](double first, double third) {
    return third + first > 0 ? (third - first) / (third + first) : 0.0;
  };
  auto const interpolated = [&](double share) {
    double const at = share * (n - 1);
    auto const below = static_cast<std::size_t>(at);
    std::size_t const above = std::min(below + 1, values.size() - 1);
    return values[below] + (at - std::floor(at)) * (values[above] - values[below]);
  };
  return {pairs / (n * n * mean), std::sqrt(squares / n) / mean, squares / n / mean,
          coefficient(values[values.size() / 4], values[3 * values.size() / 4]),
          coefficient(interpolated(0.25), interpolated(0.75))};
}

}  // namespace gossip
