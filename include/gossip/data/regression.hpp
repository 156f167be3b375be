// Samples with numbers as targets, for losses such as mean_square.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <gossip/core/error.hpp>
#include <gossip/core/number_text.hpp>
#include <gossip/data/dataset.hpp>

namespace gossip {

/// Groups of samples that a regression set counts as classes: a tenth of the samples each, by the
/// first target in ascending order. Splits that look at labels divide by them.
inline constexpr std::size_t target_groups = 10;

namespace detail {

inline std::vector<std::uint16_t> groups_by(std::vector<float> const &targets, std::size_t each) {
  std::size_t const samples = targets.size() / each;
  std::vector<std::uint32_t> order(samples);
  std::iota(order.begin(), order.end(), 0U);
  std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
    return std::pair(targets[a * each], a) < std::pair(targets[b * each], b);
  });
  std::vector<std::uint16_t> groups(samples);
  for (std::size_t k = 0; k < samples; ++k)
    groups[order[k]] = static_cast<std::uint16_t>(k * target_groups / samples);
  return groups;
}

}  // namespace detail

/// A set of (samples, inputs) features and (samples, each) targets, which lie behind the features
/// of their sample: its shape is 1 x 1 x (inputs + each). Throws input_error where sizes do not fit
/// each other or a number is not finite.
inline dataset regression_set(std::string name, std::vector<float> const &features,
                              std::vector<float> const &targets, std::size_t each = 1) {
  if (each == 0 || targets.empty() || targets.size() % each != 0)
    throw input_error(name, "at least one target of " + std::to_string(each) + " numbers a sample",
                      std::to_string(targets.size()) + " numbers");
  std::size_t const samples = targets.size() / each;
  if (features.empty() || features.size() % samples != 0)
    throw input_error(name,
                      "as many features of each of the " + std::to_string(samples) + " samples",
                      std::to_string(features.size()) + " features");
  std::size_t const inputs = features.size() / samples;
  std::vector<float> rows;
  rows.reserve(features.size() + targets.size());
  for (std::size_t i = 0; i < samples; ++i) {
    for (std::size_t f = 0; f < inputs; ++f) rows.push_back(features[i * inputs + f]);
    for (std::size_t t = 0; t < each; ++t) {
      float const target = targets[i * each + t];
      if (!std::isfinite(target))
        throw input_error(name + ": sample " + std::to_string(i), "finite targets",
                          detail::shortest(target));
      rows.push_back(target);
    }
  }
  return {std::move(name),
          {1, 1, inputs + each},
          target_groups,
          std::move(rows),
          detail::groups_by(targets, each)};
}

}  // namespace gossip
