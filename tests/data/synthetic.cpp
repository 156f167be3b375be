// The synthetic set: repeatable, balanced, and learnable.
#include <gossip/data/synthetic.hpp>

#include <algorithm>
#include <limits>
#include <vector>

#include "../catch.hpp"
#include "features.hpp"

using gossip::dataset;
using gossip::synthetic;
using gossip::test::features_of;

namespace {

// The share of samples from begin on that are nearest to the mean of their own class among those
// before begin.
double nearest_mean_accuracy(dataset const &data, std::size_t begin) {
  std::size_t const width = data.shape().size();
  std::vector<double> mean(data.classes() * width, 0.0);
  std::vector<float> const x = features_of(data);
  for (std::size_t i = 0; i < begin; ++i)
    for (std::size_t f = 0; f < width; ++f) mean[data.labels()[i] * width + f] += x[i * width + f];
  for (double &m : mean) m *= static_cast<double>(data.classes()) / static_cast<double>(begin);
  std::size_t right = 0;
  for (std::size_t i = begin; i < data.size(); ++i) {
    std::vector<double> distance(data.classes(), 0.0);
    for (std::size_t c = 0; c < data.classes(); ++c)
      for (std::size_t f = 0; f < width; ++f) {
        double const gap = x[i * width + f] - mean[c * width + f];
        distance[c] += gap * gap;
      }
    auto const best = std::min_element(distance.begin(), distance.end()) - distance.begin();
    right += best == data.labels()[i];
  }
  return static_cast<double>(right) / static_cast<double>(data.size() - begin);
}

}  // namespace

TEST_CASE("a synthetic set is the same every time and its beginning does not depend on its size",
          "[data]") {
  synthetic const recipe{.samples = 50, .shape = {3, 4, 5}, .classes = 7};
  dataset const data = recipe.build();
  CHECK(data.size() == 50);
  CHECK(features_of(data).size() == 50 * 60);
  CHECK(features_of(data) == features_of(recipe.build()));
  auto larger = recipe;
  larger.samples = 80;
  CHECK(features_of(data) == features_of(larger.build().first(50)));
  auto other = recipe;
  other.seed = 2;
  CHECK(features_of(data) != features_of(other.build()));
}

TEST_CASE("a synthetic set has balanced classes that can be told apart", "[data]") {
  dataset const easy = synthetic{.samples = 1000}.build();
  CHECK(std::ranges::count(easy.labels(), 3) == 100);
  CHECK(nearest_mean_accuracy(easy, 500) > 0.99);
  dataset const hard = synthetic{.samples = 1000, .noise = 1000.0}.build();
  CHECK(nearest_mean_accuracy(hard, 500) < 0.2);
}

TEST_CASE("a synthetic set without noise is its prototypes", "[data]") {
  dataset const data = synthetic{.samples = 20, .noise = 0.0}.build();
  CHECK(features_of(data, 0) == features_of(data, 10));
}

TEST_CASE("a synthetic set refuses impossible members", "[data]") {
  CHECK_THROWS_WITH(synthetic{.samples = 0}.build(),
                    "synthetic: expected at least one sample, got none");
  CHECK_THROWS_WITH(synthetic{.classes = 0}.build(),
                    "synthetic: classes: expected 1 to 65535, got 0");
  CHECK_THROWS_WITH(synthetic{.noise = -1.0}.build(),
                    "synthetic: noise: expected a number of at least 0, got -1");
  CHECK_THROWS_AS(synthetic{.noise = std::numeric_limits<double>::quiet_NaN()}.build(),
                  gossip::input_error);
  CHECK_THROWS_AS((synthetic{.shape = {1, 0, 1}}.build()), gossip::input_error);
}
