// Scores of a model on samples: the result both kinds of engines give to observers.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include <gossip/op/lanes.hpp>

namespace gossip {

/// Correct answers and the sum of losses of one model over the samples evaluated.
struct evaluation {
  double correct = 0, loss = 0;
};

/// Samples in chunks of chunk_samples, each for all of `models`.
struct evaluation_chunks {
  std::size_t models, samples;

  std::size_t per_model() const { return (samples + chunk_samples - 1) / chunk_samples; }
  std::size_t first(std::size_t chunk) const { return chunk * chunk_samples; }
  std::size_t count(std::size_t chunk) const {
    return std::min(chunk_samples, samples - first(chunk));
  }

  /// The sums over each model's chunks, in chunk order; parts (models, per_model()).
  std::vector<evaluation> add(std::vector<evaluation> const &parts) const {
    std::vector<evaluation> sums(models);
    for (std::size_t p = 0; p < parts.size(); ++p) {
      sums[p / per_model()].correct += parts[p].correct;
      sums[p / per_model()].loss += parts[p].loss;
    }
    return sums;
  }
};

}  // namespace gossip
