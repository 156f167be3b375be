// Definitions of simulator/samples.hpp.
#pragma once

#include <gossip/simulator/samples.hpp>

#include <string>

#include <gossip/core/error.hpp>
#include <gossip/core/inline.hpp>

namespace gossip::detail {

GOSSIP_INLINE void require_samples(model_outline const &model, bool given) {
  if (model.learns_from_samples == given) return;
  throw given ? input_error("run: expected no split, since the model is its own data, got one")
              : input_error(
                    "run: expected a split of samples after the settings, since the model learns "
                    "from samples, got none");
}

GOSSIP_INLINE void check_samples(model_outline const &model, dataset const &data) {
  auto const text = [](auto s) {
    return std::to_string(s.channels) + "x" + std::to_string(s.height) + "x" +
           std::to_string(s.width);
  };
  std::string const got = text(data.shape()), expected = text(model.sample);
  if (got != expected)
    throw input_error(data.name(), "samples of " + expected + ", as the model has", got);
  if (!model.chooses_classes() || data.classes() <= model.classes) return;
  for (std::size_t i = 0; i < data.size(); ++i)
    if (data.labels()[i] >= model.classes)
      throw input_error(data.name() + ": sample " + std::to_string(i),
                        "a label below " + std::to_string(model.classes) + ", as the model has",
                        std::to_string(data.labels()[i]));
  throw input_error(data.name(),
                    "at most " + std::to_string(model.classes) + " classes, as the model has",
                    std::to_string(data.classes()) + ", by the labels of training and test");
}

}  // namespace gossip::detail
