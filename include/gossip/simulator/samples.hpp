// Whether a data set is one that a model can learn from.
#pragma once

#include <string>

#include <gossip/core/error.hpp>
#include <gossip/data/dataset.hpp>

namespace gossip::detail {

/// Throws input_error unless the samples have the model's shape and no more classes.
template <class Model>
void check_samples(dataset const &data) {
  auto const text = [](auto s) {
    return std::to_string(s.channels) + "x" + std::to_string(s.height) + "x" +
           std::to_string(s.width);
  };
  std::string const got = text(data.shape()), expected = text(Model::sample);
  if (got != expected || data.classes() > Model::classes)
    throw input_error(data.name(),
                      "samples of " + expected + " in at most " + std::to_string(Model::classes) +
                          " classes, as the model has",
                      got + " in " + std::to_string(data.classes()));
}

}  // namespace gossip::detail
