// What a data set stores, gives back and refuses.
#include <gossip/data/dataset.hpp>

#include <limits>
#include <vector>

#include "../catch.hpp"

using gossip::byte_scale;
using gossip::dataset;
using gossip::input_error;
using gossip::sample_shape;

namespace {

// Three samples of 1 x 1 x 2 bytes, value = byte / 2 - 1.
dataset three_samples() {
  return {"three",   {1, 1, 2},
          2,         std::vector<std::uint8_t>{0, 2, 4, 6, 8, 10},
          {0, 1, 1}, byte_scale{0.5F, -1.0F}};
}

dataset three_floats() {
  return {"floats", {1, 1, 2}, 2, std::vector<float>{-1, 0, 1, 2, 3, 4}, {0, 1, 1}};
}

}  // namespace

TEST_CASE("a sample has the same features stored as bytes and as floats", "[data]") {
  for (dataset const &data : {three_samples(), three_floats()}) {
    std::vector<float> sample(2);
    data.copy_sample(1, sample);
    CHECK(sample == std::vector<float>{1, 2});
    float sum = 0;
    data.with_view([&](auto view) {
      for (auto const stored : view.stored) sum += view(stored);
    });
    CHECK(sum == 9.0F);
  }
  CHECK(three_samples().bytes().size() == 6);
  CHECK(three_samples().values().empty());
  CHECK(three_floats().bytes().empty());
  CHECK(three_floats().values().size() == 6);
}

TEST_CASE("a subset keeps order, repeats, labels, scale and shape", "[data]") {
  std::vector<std::uint32_t> const indices{2, 0, 2};
  dataset const part = three_samples().subset(indices);
  CHECK(part.size() == 3);
  CHECK(part.shape() == sample_shape{1, 1, 2});
  CHECK(part.labels()[0] == 1);
  CHECK(part.labels()[1] == 0);
  std::vector<float> sample(2);
  part.copy_sample(0, sample);
  CHECK(sample == std::vector<float>{3, 4});
  part.copy_sample(1, sample);
  CHECK(sample == std::vector<float>{-1, 0});
  CHECK(three_floats().take(1, 2).values()[0] == 1.0F);
  CHECK(three_floats().first(1).size() == 1);
  CHECK(three_floats().first(1).named("one").name() == "one");
}

TEST_CASE("a data set refuses what does not fit together, in a sentence", "[data]") {
  using bytes = std::vector<std::uint8_t>;
  CHECK_THROWS_WITH(dataset("a", {1, 1, 2}, 2, bytes{1, 2, 3}, {0, 1}),
                    "a: expected 2 features for each of 2 samples, got 3 features");
  CHECK_THROWS_WITH(dataset("a", {1, 1, 1}, 2, bytes{1, 2}, {0, 2}),
                    "a: sample 1: expected a label below 2, got 2");
  CHECK_THROWS_WITH(dataset("a", {1, 1, 1}, 2, bytes{}, {}),
                    "a: expected at least one sample, got none");
  CHECK_THROWS_WITH(dataset("a", {1, 0, 1}, 2, bytes{1}, {0}),
                    "a: expected samples of 1 to 1048576 in every dimension, got 0");
  CHECK_THROWS_WITH(dataset("a", {1, 1, 1}, 65536, bytes{1}, {0}),
                    "a: expected 1 to 65535 classes, got 65536");
  CHECK_THROWS_WITH(dataset("a", {1, 1, 1}, 0, bytes{1}, {0}),
                    "a: expected 1 to 65535 classes, got 0");
  std::vector<float> const bad{1, std::numeric_limits<float>::infinity()};
  CHECK_THROWS_WITH(dataset("a", {1, 1, 1}, 2, bad, {0, 0}),
                    "a: sample 1: expected finite features, got inf");
}

TEST_CASE("a data set refuses samples it does not have", "[data]") {
  dataset const data = three_samples();
  std::vector<float> sample(2);
  std::vector<std::uint32_t> const beyond{3};
  CHECK_THROWS_WITH(data.subset(beyond), "three: expected a sample below 3, got 3");
  CHECK_THROWS_WITH(data.copy_sample(3, sample), "three: expected a sample below 3, got 3");
  CHECK_THROWS_WITH(data.take(2, 2), "three: take: expected samples within the 3, got 2 from 2");
  CHECK_THROWS_AS(data.first(0), input_error);
  sample.resize(3);
  CHECK_THROWS_WITH(data.copy_sample(0, sample), "three: copy_sample: expected 2 numbers, got 3");
}
