// Samples with numbers as targets, for losses such as mean_square.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <gossip/data/dataset.hpp>

namespace gossip {

/// Groups of samples that a regression set counts as classes: a tenth of the samples each, by the
/// first target in ascending order. Splits that look at labels divide by them.
inline constexpr std::size_t target_groups = 10;

namespace detail {

/// The group of every sample, by its first target; equal targets by their place. (samples)
std::vector<std::uint16_t> groups_by(std::vector<float> const &targets, std::size_t per_sample);

}  // namespace detail

/// A set of (samples, inputs) features and (samples, per_sample) targets, which lie behind the
/// features of their sample: its shape is 1 x 1 x (inputs + per_sample). Throws input_error where
/// sizes do not fit each other or a number is not finite.
dataset regression_set(std::string name, std::vector<float> const &features,
                       std::vector<float> const &targets, std::size_t per_sample = 1);

}  // namespace gossip

#ifndef GOSSIP_COMPILED
#include <gossip/data/detail/regression.ipp>
#endif
