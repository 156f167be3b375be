// Definitions of data/regression.hpp.
#pragma once

#include <gossip/data/regression.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include <gossip/core/error.hpp>
#include <gossip/core/inline.hpp>
#include <gossip/core/number_text.hpp>

namespace gossip {

namespace detail {

GOSSIP_INLINE std::vector<std::uint16_t> groups_by(std::vector<float> const &targets,
                                                   std::size_t per_sample) {
  std::size_t const samples = targets.size() / per_sample;
  std::vector<std::uint32_t> order(samples);
  std::iota(order.begin(), order.end(), 0U);
  std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
    return std::pair(targets[a * per_sample], a) < std::pair(targets[b * per_sample], b);
  });
  std::vector<std::uint16_t> groups(samples);
  for (std::size_t k = 0; k < samples; ++k)
    groups[order[k]] = static_cast<std::uint16_t>(k * target_groups / samples);
  return groups;
}

}  // namespace detail

GOSSIP_INLINE dataset regression_set(std::string name, std::vector<float> const &features,
                                     std::vector<float> const &targets, std::size_t per_sample) {
  if (per_sample == 0 || targets.empty() || targets.size() % per_sample != 0)
    throw input_error(name,
                      "at least one sample, each of " + std::to_string(per_sample) + " targets",
                      std::to_string(targets.size()) + " targets");
  std::size_t const samples = targets.size() / per_sample;
  if (features.empty() || features.size() % samples != 0)
    throw input_error(name, "features in a multiple of the " + std::to_string(samples) + " samples",
                      std::to_string(features.size()) + " features");
  std::size_t const inputs = features.size() / samples;
  std::vector<float> rows;
  rows.reserve(features.size() + targets.size());
  for (std::size_t i = 0; i < samples; ++i) {
    for (std::size_t f = 0; f < inputs; ++f) rows.push_back(features[i * inputs + f]);
    for (std::size_t t = 0; t < per_sample; ++t) {
      float const target = targets[i * per_sample + t];
      if (!std::isfinite(target))
        throw input_error(name + ": sample " + std::to_string(i), "finite targets",
                          detail::shortest(target));
      rows.push_back(target);
    }
  }
  return {std::move(name),
          {1, 1, inputs + per_sample},
          target_groups,
          std::move(rows),
          detail::groups_by(targets, per_sample)};
}

}  // namespace gossip
