// Data sets: storage, access and refusals.
#include <gossip/data/channel_statistics.hpp>
#include <gossip/data/dataset.hpp>

#include <cmath>
#include <limits>
#include <memory>
#include <span>
#include <vector>

#include "../catch.hpp"
#include "features.hpp"

using gossip::byte_scale;
using gossip::dataset;
using gossip::feature_rows;
using gossip::sample_shape;
using gossip::test::features_of;

namespace {

// Three samples of 1 x 1 x 2 bytes, value = byte / 2 - 1.
dataset three_samples() {
  return {"three",   {1, 1, 2},
          2,         std::vector<std::uint8_t>{0, 2, 4, 6, 8, 10},
          {0, 1, 1}, {byte_scale{0.5F, -1.0F}}};
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
      for (std::size_t i = 0; i < data.size(); ++i)
        for (auto const stored : view.stored[i]) sum += view.scale(0)(stored);
    });
    CHECK(sum == 9.0F);
  }
  CHECK(three_samples().bytes().size() == 3);
  CHECK(three_samples().values().size() == 0);
  CHECK(three_floats().bytes().size() == 0);
  CHECK(three_floats().values().size() == 3);
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
  CHECK(three_floats().take(1, 2).values()[0][0] == 1.0F);
  CHECK(three_floats().first(1).size() == 1);
  CHECK(three_floats().first(1).named("one").name() == "one");
}

TEST_CASE("rows may lie apart, with a stride, and are kept by whoever shares them", "[data]") {
  auto const memory = std::make_shared<std::vector<std::uint8_t> const>(
      std::vector<std::uint8_t>{9, 8, 10, 9, 4, 6, 9, 0, 2, 9, 4, 6});
  feature_rows<std::uint8_t> rows;
  rows.append({memory->data() + 7, 2, 2, 3}, memory);  // between the nines
  rows.append({memory->data() + 1, 2, 2, 3}, memory);  // the last rows come first in memory
  std::weak_ptr<void const> const kept = memory;
  auto const all = std::make_unique<dataset>("apart", sample_shape{1, 1, 2}, 2, std::move(rows),
                                             std::vector<std::uint16_t>{0, 1, 1, 1},
                                             std::vector{byte_scale{0.5F, -1.0F}});
  dataset const packed = three_samples().subset(std::vector<std::uint32_t>{0, 1, 2, 1});
  for (std::size_t begin = 0; begin < 4; ++begin)
    for (std::size_t count = 1; count <= 4 - begin; ++count) {
      dataset const part = all->take(begin, count), expected = packed.take(begin, count);
      CHECK(part.size() == count);
      std::vector<std::uint32_t> order{static_cast<std::uint32_t>(count - 1), 0};
      CHECK(features_of(part) == features_of(expected));
      CHECK(features_of(part.subset(order)) == features_of(expected.subset(order)));
      CHECK(part.bytes()[0].data() == all->bytes()[begin].data());
    }
  CHECK_FALSE(kept.expired());
}

TEST_CASE("every channel may have a scale of its own", "[data]") {
  dataset const data("two", {2, 1, 2}, 2, std::vector<std::uint8_t>{1, 2, 3, 4}, {0},
                     {{1.0F, 0.0F}, {10.0F, -1.0F}});
  CHECK(features_of(data) == std::vector<float>{1, 2, 29, 39});
  CHECK(features_of(data.scaled({{2.0F, 1.0F}})) == std::vector<float>{3, 5, 7, 9});
  CHECK_THROWS_WITH(data.scaled({{}, {}, {}}),
                    "two: expected one scale, or one for each of 2 channels, got 3");
  CHECK_THROWS_WITH(three_floats().scaled({{}}),
                    "floats: scaled: expected features as bytes, got floats");
}

TEST_CASE("statistics are those of the features, and normalising makes them 0 and 1", "[data]") {
  dataset const bytes("b", {2, 1, 2}, 2,
                      std::vector<std::uint8_t>{0, 2, 7, 9, 4, 6, 8, 8, 2, 4, 8, 8}, {0, 1, 0},
                      {{0.5F, 1.0F}});
  std::vector<float> const features = features_of(bytes);
  dataset const floats("f", {2, 1, 2}, 2, features, {0, 1, 0});
  for (dataset const &data : {bytes, floats}) {
    auto const moments = gossip::channel_statistics(data);
    REQUIRE(moments.size() == 2);
    CHECK(moments[0].mean == Approx(2.5));  // of 1, 2, 3, 4, 2, 3
    CHECK(moments[0].deviation == Approx(std::sqrt(5.5 / 6)));
    CHECK(moments[1].mean == Approx(5.0));  // of 4.5, 5.5, 5, 5, 5, 5
    CHECK(moments[1].deviation == Approx(std::sqrt(0.5 / 6)));
    for (auto const &after : gossip::channel_statistics(gossip::normalised(data, moments))) {
      CHECK(after.mean == Approx(0.0).margin(1e-6));
      CHECK(after.deviation == Approx(1.0).epsilon(1e-6));
    }
    CHECK_THROWS_WITH(gossip::normalised(data, std::span(moments).first(1)),
                      data.name() + ": normalised: expected moments of 2 channels, got 1");
    std::vector<gossip::channel_moments> const flat{{0.0, 1.0}, {0.0, 0.0}};
    CHECK_THROWS_WITH(gossip::normalised(data, flat),
                      data.name() +
                          ": normalised: expected a deviation above 0 in every channel, "
                          "got 0");
  }
}

TEST_CASE("a test set is normalised by the moments of its training set", "[data]") {
  dataset const train = three_samples().first(2), test = three_samples().take(2, 1);
  // quote normalised
  auto const moments = gossip::channel_statistics(train);  // a mean and a deviation a channel
  auto const normal_train = gossip::normalised(train, moments);
  auto const normal_test = gossip::normalised(test, moments);
  // end quote
  // Train is -1, 0, 1, 2 of mean 0.5 and variance 1.25; test is 3, 4.
  CHECK(features_of(normal_train)[0] == Approx(-1.5 / std::sqrt(1.25)));
  CHECK(features_of(normal_test)[1] == Approx(3.5 / std::sqrt(1.25)));
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
  CHECK_THROWS_WITH(data.first(0), "three: take: expected at least one sample, got none");
  CHECK_THROWS_WITH(data.subset({}), "three: subset: expected at least one sample, got none");
  sample.resize(3);
  CHECK_THROWS_WITH(data.copy_sample(0, sample), "three: copy_sample: expected 2 numbers, got 3");
}
