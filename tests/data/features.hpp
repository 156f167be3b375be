// The features of samples as numbers, for comparing data sets.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include <gossip/data/dataset.hpp>

namespace gossip::test {

inline std::vector<float> features_of(dataset const &data, std::size_t sample) {
  std::vector<float> features(data.shape().size());
  data.copy_sample(sample, features);
  return features;
}

/// (samples, features)
inline std::vector<float> features_of(dataset const &data) {
  std::vector<float> all;
  for (std::size_t i = 0; i < data.size(); ++i) {
    auto const sample = features_of(data, i);
    all.insert(all.end(), sample.begin(), sample.end());
  }
  return all;
}

}  // namespace gossip::test
