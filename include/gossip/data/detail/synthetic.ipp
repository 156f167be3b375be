// Definitions of data/synthetic.hpp.
#pragma once

#include <gossip/data/synthetic.hpp>

#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include <gossip/core/error.hpp>
#include <gossip/core/inline.hpp>
#include <gossip/core/node.hpp>
#include <gossip/core/number_text.hpp>
#include <gossip/core/random.hpp>

namespace gossip {

GOSSIP_INLINE dataset synthetic::build() const {
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

GOSSIP_INLINE void synthetic::check() const {
  checked_index(samples, "synthetic");
  if (classes == 0 || classes > dataset::max_classes)
    throw input_error("synthetic: classes", "1 to " + std::to_string(dataset::max_classes),
                      std::to_string(classes));
  if (!(noise >= 0.0) || !std::isfinite(noise))
    throw input_error("synthetic: noise", "a number of at least 0", detail::shortest(noise));
  check_shape("synthetic: shape", shape);
}

}  // namespace gossip
