// Crop and flip: where pixels come from, that every place is as likely as any other, that a move
// depends on its key alone, and that hosts and devices load the same inputs.
#include <gossip/backend/serial.hpp>
#include <gossip/data/batch_source.hpp>
#include <gossip/data/device_source.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "../catch.hpp"
#include "features.hpp"

using namespace gossip;
using test::features_of;

namespace {

template <class V>
std::vector<V> moved(std::vector<V> const &sample, sample_shape shape, sample_move how) {
  std::vector<V> to(sample.size(), V{99});
  move_sample(sample.data(), shape, how, to.data());
  return to;
}

std::vector<int> counted(std::size_t count) {
  std::vector<int> values(count);
  std::iota(values.begin(), values.end(), 1);
  return values;
}

/// Forty samples of 2 x 6 x 5 whose bytes tell sample, channel and pixel apart well enough.
dataset small_bytes(std::vector<byte_scale> scales) {
  std::vector<std::uint8_t> bytes(40 * 60);
  for (std::size_t k = 0; k < bytes.size(); ++k)
    bytes[k] = static_cast<std::uint8_t>(k * 7 + k / 60);
  std::vector<std::uint16_t> labels(40);
  for (std::size_t i = 0; i < 40; ++i) labels[i] = static_cast<std::uint16_t>(i % 4);
  return {"small", {2, 6, 5}, 4, std::move(bytes), std::move(labels), std::move(scales)};
}

dataset small_floats() {
  dataset const bytes = small_bytes({{0.5F, -3.0F}});
  return {"small",
          bytes.shape(),
          4,
          features_of(bytes),
          {bytes.labels().begin(), bytes.labels().end()}};
}

/// The same samples with strides, in two stretches.
dataset apart(dataset const &data) {
  auto const memory = std::make_shared<std::vector<std::uint8_t>>();
  for (std::size_t i = 0; i < data.size(); ++i) {
    memory->push_back(255);
    memory->insert(memory->end(), data.bytes()[i].begin(), data.bytes()[i].end());
  }
  feature_rows<std::uint8_t> rows;
  rows.append({memory->data() + 1, 11, 60, 61}, memory);
  rows.append({memory->data() + 11 * 61 + 1, data.size() - 11, 60, 61}, memory);
  return {"apart",
          data.shape(),
          4,
          std::move(rows),
          {data.labels().begin(), data.labels().end()},
          {data.scales().begin(), data.scales().end()}};
}

struct task {
  std::size_t k;
  std::uint64_t seed;
  node const *nodes;
  std::uint64_t const *steps;
};

/// What a source loads for three nodes at steps of their own, batches of 70 in chunks of 64 and 6.
template <bool SampleMajor, class Source>
std::vector<float> loaded(Source source) {
  std::vector<node> const nodes{2, 0, 1};
  std::vector<std::uint64_t> const steps{5, 0, 9};
  task const all{3, 17, nodes.data(), steps.data()};
  serial::worker worker;
  std::vector<float> everything;
  for (std::size_t first = 0; first < 70; first += chunk_samples) {
    std::size_t const count = std::min(70 - first, chunk_samples), lanes = lanes_for(count);
    std::vector<float> inputs(3 * 60 * lanes, 99.0F);
    std::vector<std::uint16_t> labels(3 * lanes, 99);
    source.load(worker, all, first, count, lanes, strided<float>{inputs.data(), 60 * lanes},
                strided<std::uint16_t>{labels.data(), lanes});
    everything.insert(everything.end(), inputs.begin(), inputs.end());
    for (std::size_t j = 0; j < 3; ++j)
      everything.insert(everything.end(), labels.data() + j * lanes,
                        labels.data() + j * lanes + count);
  }
  return everything;
}

partition three_shares() {
  std::vector<node> owner(40);
  for (std::size_t i = 0; i < 40; ++i) owner[i] = static_cast<node>(i % 3);
  return group_by<node>(owner, 3);
}

template <bool SampleMajor>
std::vector<float> on_host(dataset const &data) {
  partition const shares = three_shares();
  return loaded<SampleMajor>(node_batches<SampleMajor>(data, shares, 70));
}

template <bool SampleMajor>
std::vector<float> on_device(dataset const &data) {
  partition const shares = three_shares();
  return loaded<SampleMajor>(device_batches<SampleMajor, serial>(data, shares, 70, serial{}));
}

}  // namespace

TEST_CASE("a moved sample shows what its move says, and zeros beyond", "[data]") {
  std::vector<int> const sample = counted(6);  // 1 2 3 / 4 5 6
  sample_shape const shape{1, 2, 3};
  CHECK(moved(sample, shape, {}) == sample);
  CHECK(moved(sample, shape, {.down = 1}) == std::vector<int>{4, 5, 6, 0, 0, 0});
  CHECK(moved(sample, shape, {.down = -1, .right = 2}) == std::vector<int>{0, 0, 0, 3, 0, 0});
  CHECK(moved(sample, shape, {.right = -1}) == std::vector<int>{0, 1, 2, 0, 4, 5});
  CHECK(moved(sample, shape, {.mirrored = true}) == std::vector<int>{3, 2, 1, 6, 5, 4});
  CHECK(moved(sample, shape, {.right = 1, .mirrored = true}) == std::vector<int>{0, 3, 2, 0, 6, 5});
}

TEST_CASE("mirroring twice is nothing, and moving pixel by pixel is moving rows", "[data]") {
  sample_shape const shape{3, 5, 7};
  std::vector<int> const sample = counted(shape.size());
  CHECK(moved(moved(sample, shape, {.mirrored = true}), shape, {.mirrored = true}) == sample);
  for (std::int32_t down = -4; down <= 4; ++down)
    for (std::int32_t right = -6; right <= 6; ++right)
      for (bool const mirrored : {false, true}) {
        sample_move const how{down, right, mirrored};
        std::vector<int> expected;
        for (std::size_t c = 0; c < 3; ++c)
          for (std::size_t row = 0; row < 5; ++row)
            for (std::size_t column = 0; column < 7; ++column) {
              std::size_t const from = how.source(shape, row, column);
              expected.push_back(from == 35 ? 0 : sample[c * 35 + from]);
            }
        CHECK(moved(sample, shape, how) == expected);
      }
}

TEST_CASE("all crops and both directions are equally likely", "[data]") {
  crop_and_flip const how{.padding = 4};
  constexpr std::size_t cells = 9 * 9 * 2, draws = 400 * cells;
  std::vector<double> seen(cells, 0.0);
  for (std::uint64_t step = 0; step < draws / 8; ++step)
    for (std::size_t position = 0; position < 8; ++position) {
      auto const [down, right, mirrored] = how.draw(1, 2, step, position);
      REQUIRE(std::max(std::abs(down), std::abs(right)) <= 4);
      ++seen[static_cast<std::size_t>(((down + 4) * 9 + right + 4) * 2 + mirrored)];
    }
  double chi_squared = 0.0;
  for (double const count : seen) chi_squared += (count - 400.0) * (count - 400.0) / 400.0;
  // Mean 161 and variance 322; four standard deviations either way.
  CHECK(std::fabs(chi_squared - (cells - 1)) < 4.0 * std::sqrt(2.0 * (cells - 1)));
}

TEST_CASE("a move depends on seed, node, step and position, and on nothing else", "[data]") {
  crop_and_flip const how{.padding = 200};
  auto const row = [&](std::uint64_t seed, node i, std::uint64_t step, std::size_t first) {
    std::vector<sample_move> moves;
    for (std::size_t position = 0; position < 8; ++position)
      moves.push_back(how.draw(seed, i, step, first + position));
    return moves;
  };
  auto const some = row(1, 2, 3, 0);
  CHECK(row(1, 2, 3, 0) == some);
  CHECK(row(2, 2, 3, 0) != some);
  CHECK(row(1, 3, 3, 0) != some);
  CHECK(row(1, 2, 4, 0) != some);
  CHECK(row(1, 2, 3, 8) != some);
  CHECK(row(1, 2, 3, 4)[0] == some[4]);
  crop_and_flip const no_flip{.padding = 0, .flip = false};
  for (std::size_t position = 0; position < 100; ++position)
    CHECK(no_flip.draw(1, 2, 3, position) == sample_move{});
}

TEST_CASE("hosts and devices load the same bits, whatever is stored and shown", "[data]") {
  std::vector<byte_scale> const one{{0.5F, -3.0F}}, each{{0.1F, 0.7F}, {0.3F, -0.2F}};
  for (dataset const &plain : {small_bytes(one), small_bytes(each), small_floats(),
                               apart(small_bytes(one)), apart(small_bytes(each))})
    for (dataset const &data :
         {plain, plain.augmented({.padding = 4}), plain.augmented({.padding = 2, .flip = false})}) {
      CHECK(on_host<true>(data) == on_device<true>(data));
      CHECK(on_host<false>(data) == on_device<false>(data));
    }
  for (auto const &scales : {one, each}) {
    dataset const data = small_bytes(scales).augmented({});
    CHECK(on_host<false>(apart(data).augmented({})) == on_host<false>(data));
  }
}

TEST_CASE("a batch holds its samples as they are moved, padding as a stored zero", "[data]") {
  crop_and_flip const how{.padding = 3};
  dataset const data = small_bytes({{0.1F, 0.7F}, {0.3F, -0.2F}}).augmented(how);
  partition const shares = three_shares();
  node const i = 1;
  std::uint64_t const step = 4;
  std::vector<std::uint32_t> indices(16);
  batch_indices(17, i, step, shares[i], indices);
  std::vector<float> inputs(16 * 60);
  std::vector<std::uint16_t> labels(16);
  serial::worker worker;
  node_batches<true>(data, shares, 16)
      .load(worker, task{1, 17, &i, &step}, 0, 16, 16, strided<float>{inputs.data(), 0},
            strided<std::uint16_t>{labels.data(), 0});
  bool padded = false;
  for (std::size_t l = 0; l < 16; ++l) {
    auto const sample = features_of(data, indices[l]);  // as it is
    sample_move const move = how.draw(17, i, step, l);
    for (std::size_t f = 0; f < 60; ++f) {
      std::size_t const from = move.source(data.shape(), f % 30 / 5, f % 5);
      padded = padded || from == 30;
      CHECK(inputs[l * 60 + f] ==
            (from == 30 ? data.scales()[f / 30].shift : sample[f / 30 * 30 + from]));
    }
  }
  CHECK(padded);
}

TEST_CASE("an evaluated sample is not augmented, and parts of a set keep its augmentation",
          "[data]") {
  dataset const plain = small_bytes({{}}), data = plain.augmented({.padding = 4});
  std::vector<std::uint32_t> const indices{3, 1, 2};
  node const i = 0;
  std::uint64_t const step = 0;
  serial::worker worker;
  std::vector<float> inputs(16 * 60);
  std::vector<std::uint16_t> labels(16);
  test_samples<true>(data, indices)
      .load(worker, task{1, 17, &i, &step}, 0, 3, 16, strided<float>{inputs.data(), 0},
            strided<std::uint16_t>{labels.data(), 0});
  inputs.resize(180);
  CHECK(inputs == features_of(plain.subset(indices)));
  CHECK(data.take(3, 7).augmentation() == crop_and_flip{.padding = 4});
  CHECK(data.subset(indices).augmentation() == data.augmentation());
  CHECK_FALSE(plain.augmentation());
}

TEST_CASE("padding as wide as the samples is refused", "[data]") {
  CHECK_THROWS_WITH(small_bytes({{}}).augmented({.padding = 5}),
                    "crop_and_flip: padding: expected less than the 5 pixels of a side, got 5");
}
