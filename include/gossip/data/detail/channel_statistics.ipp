// Definitions of data/channel_statistics.hpp.
#pragma once

#include <gossip/data/channel_statistics.hpp>

#include <array>
#include <cmath>
#include <string>
#include <utility>

#include <gossip/core/error.hpp>
#include <gossip/core/inline.hpp>
#include <gossip/core/number_text.hpp>

namespace gossip {

namespace detail {

/// f(value) for every stored value of a channel, sample after sample.
template <class View, class F>
void for_each_stored(View view, sample_shape shape, std::size_t channel, F f) {
  for (std::size_t i = 0; i < view.stored.size(); ++i)
    for (auto const value : view.stored[i].subspan(channel * shape.plane(), shape.plane()))
      f(value);
}

/// The moments of numbers of which for_each visits every one, twice.
template <class ForEach>
channel_moments moments_of(ForEach for_each, double count) {
  double sum = 0.0, squares = 0.0;
  for_each([&](double value, double times) { sum += times * value; });
  double const mean = sum / count;
  for_each([&](double value, double times) { squares += times * (value - mean) * (value - mean); });
  return {mean, std::sqrt(squares / count)};
}

GOSSIP_INLINE channel_moments moments_of(byte_features view, sample_shape shape,
                                         std::size_t channel) {
  std::array<std::uint64_t, 256> histogram{};
  for_each_stored(view, shape, channel, [&](std::uint8_t byte) { ++histogram[byte]; });
  auto const [mean, deviation] = moments_of(
      [&](auto f) {
        for (std::size_t byte = 0; byte < histogram.size(); ++byte)
          f(static_cast<double>(byte), static_cast<double>(histogram[byte]));
      },
      static_cast<double>(view.stored.size() * shape.plane()));
  byte_scale const scale = view.scale(view.planes() == 1 ? 0 : channel);
  double const factor = scale.scale, shift = scale.shift;
  return {mean * factor + shift, deviation * std::fabs(factor)};
}

GOSSIP_INLINE channel_moments moments_of(float_features view, sample_shape shape,
                                         std::size_t channel) {
  return moments_of(
      [&](auto f) { for_each_stored(view, shape, channel, [&](float value) { f(value, 1.0); }); },
      static_cast<double>(view.stored.size() * shape.plane()));
}

}  // namespace detail

GOSSIP_INLINE std::vector<channel_moments> channel_statistics(dataset const &data) {
  std::vector<channel_moments> all;
  for (std::size_t c = 0; c < data.shape().channels; ++c)
    all.push_back(
        data.with_view([&](auto view) { return detail::moments_of(view, data.shape(), c); }));
  return all;
}

GOSSIP_INLINE dataset normalised(dataset const &data, std::span<channel_moments const> moments) {
  sample_shape const shape = data.shape();
  if (moments.size() != shape.channels)
    throw input_error(data.name() + ": normalised",
                      "moments of " + std::to_string(shape.channels) + " channels",
                      std::to_string(moments.size()));
  for (auto const [mean, deviation] : moments)
    if (!(deviation > 0) || !std::isfinite(deviation) || !std::isfinite(mean))
      throw input_error(data.name() + ": normalised", "a deviation above 0 in every channel",
                        detail::shortest(deviation));
  if (data.stored_as_bytes()) {
    std::vector<byte_scale> scales;
    for (std::size_t c = 0; c < shape.channels; ++c) {
      byte_scale const before = data.scales()[data.scales().size() == 1 ? 0 : c];
      double const scale = before.scale, shift = before.shift;
      scales.push_back({static_cast<float>(scale / moments[c].deviation),
                        static_cast<float>((shift - moments[c].mean) / moments[c].deviation)});
    }
    return data.scaled(std::move(scales));
  }
  std::vector<float> features;
  features.reserve(data.size() * shape.size());
  for (std::size_t i = 0; i < data.size(); ++i)
    for (std::size_t f = 0; f < shape.size(); ++f) {
      auto const [mean, deviation] = moments[f / shape.plane()];
      features.push_back(static_cast<float>((double{data.values()[i][f]} - mean) / deviation));
    }
  return {data.name(),
          shape,
          data.classes(),
          std::move(features),
          {data.labels().begin(), data.labels().end()}};
}

}  // namespace gossip
