// A learnable set of any shape, made from a seed: class prototypes plus noise.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <gossip/core/error.hpp>
#include <gossip/core/node.hpp>
#include <gossip/core/number_text.hpp>
#include <gossip/core/random.hpp>
#include <gossip/data/dataset.hpp>

namespace gossip {

/// Sample i is of class i mod classes: the class's prototype, standard normal in every feature,
/// plus normal noise. A training and a test set of one problem are two parts of one set (take).
struct synthetic {
  std::size_t samples = 1000;
  sample_shape shape{.channels = 1, .height = 8, .width = 8};
  std::size_t classes = 10;
  double noise = 1.0;  // standard deviation
  std::uint64_t seed = 1;

  /// The set, features as floats: the same for the same members; sample i does not depend on how
  /// many there are.
  dataset build() const {
    check();
    std::size_t const width = shape.size();
    std::vector<double> prototypes;  // (classes, width)
    prototypes.reserve(classes * width);
    for (std::size_t c = 0; c < classes; ++c) {
      keyed_random random(seed, purpose::synthetic_data, static_cast<std::uint32_t>(c), 0);
      for (std::size_t f = 0; f < width; ++f) prototypes.push_back(random.normal());
    }
    std::vector<float> features;  // (samples, width)
    features.reserve(samples * width);
    std::vector<std::uint16_t> labels(samples);
    for (std::size_t i = 0; i < samples; ++i) {
      labels[i] = static_cast<std::uint16_t>(i % classes);
      keyed_random random(seed, purpose::synthetic_data, static_cast<std::uint32_t>(i), 1);
      double const *prototype = prototypes.data() + labels[i] * width;
      for (std::size_t f = 0; f < width; ++f)
        features.push_back(static_cast<float>(prototype[f] + noise * random.normal()));
    }
    return {"synthetic", shape, classes, std::move(features), std::move(labels)};
  }

 private:
  void check() const {
    checked_index(samples, "synthetic");
    if (classes == 0 || classes > dataset::max_classes)
      throw input_error("synthetic: classes", "1 to " + std::to_string(dataset::max_classes),
                        std::to_string(classes));
    if (!(noise >= 0.0) || !std::isfinite(noise))
      throw input_error("synthetic: noise", "a number of at least 0", detail::shortest(noise));
    check_shape("synthetic: shape", shape);
  }
};

}  // namespace gossip
