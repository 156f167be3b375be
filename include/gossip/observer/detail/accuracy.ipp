// Definitions of observer/accuracy.hpp.
#pragma once

#include <gossip/observer/accuracy.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>

#include <gossip/core/error.hpp>
#include <gossip/core/inline.hpp>
#include <gossip/core/random.hpp>

namespace gossip {

namespace detail {

GOSSIP_INLINE std::vector<std::uint32_t> keyed_sample(std::uint64_t seed, std::uint32_t stream,
                                                      std::size_t n, std::size_t count) {
  std::vector<std::uint32_t> all(n);
  std::iota(all.begin(), all.end(), 0U);
  if (count == 0 || count >= n) return all;
  keyed_random random(seed, purpose::evaluation, stream, 0);
  for (std::size_t i = 0; i < count; ++i)
    std::swap(all[i], all[i + random.below(static_cast<std::uint32_t>(n - i))]);
  all.resize(count);
  std::sort(all.begin(), all.end());
  return all;
}

GOSSIP_INLINE void check_test_set(std::string const &observer, model_outline const &model,
                                  dataset const &test) {
  if (!model.learns_from_samples)
    throw input_error(observer +
                      ": expected a model that learns from samples, got one that is its "
                      "own data. See docs/policies/model.md");
  auto const shape = test.shape();
  if (shape.channels != model.sample.channels || shape.height != model.sample.height ||
      shape.width != model.sample.width ||
      (model.chooses_classes() && test.classes() > model.classes))
    throw input_error(observer + ": " + test.name(),
                      std::to_string(model.sample.size()) + " features and " +
                          std::to_string(model.classes) + " classes, as the model has",
                      std::to_string(shape.size()) + " and " + std::to_string(test.classes()));
}

}  // namespace detail

GOSSIP_INLINE void accuracy::write(record &r, bool chooses, std::vector<evaluation> const &results,
                                   std::size_t nodes, std::size_t samples) const {
  double const n = static_cast<double>(nodes), all = static_cast<double>(samples);
  spread s{0, 1, 0, 0};
  double squares = 0, loss = 0;
  for (std::size_t i = 0; i < nodes; ++i) {
    s.mean += results[i].correct;
    s.min = std::min(s.min, results[i].correct / all);
    s.max = std::max(s.max, results[i].correct / all);
    loss += results[i].loss;
  }
  s.mean /= n * all;
  for (std::size_t i = 0; i < nodes; ++i)
    squares += (results[i].correct / all - s.mean) * (results[i].correct / all - s.mean);
  s.std = std::sqrt(squares / n);
  if (chooses) r.accuracy = s;
  r.test_loss = loss / (n * all);
  r.evaluated_nodes = nodes;
  r.evaluated_samples = samples;
  if (chooses && sample_.averaged_model) r.averaged_model_accuracy = results.back().correct / all;
}

}  // namespace gossip
