// Crop and flip: where pixels come from, that every place is as likely as any other, that a move
// depends on its key alone, and that hosts and devices load the same inputs.
#include <gossip/backend/serial.hpp>
#include <gossip/data/batch_source.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

#include "../catch.hpp"
#include "features.hpp"
#include "loading.hpp"

using namespace gossip;
using test::apart;
using test::features_of;
using test::small_bytes;

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
  for (dataset const &data : test::variants_of_small_sets()) {
    CHECK(test::load_on_host<true>(data) == test::load_on_device<true>(data, serial{}));
    CHECK(test::load_on_host<false>(data) == test::load_on_device<false>(data, serial{}));
  }
}

TEST_CASE("bytes of one scale are handed out as they are stored, no others", "[data]") {
  partition const shares = test::three_shares();
  std::vector<node> const nodes{2, 0};
  std::vector<std::uint64_t> const steps{5, 0};
  auto const handed_out = [&](dataset const &data, std::vector<std::size_t> const &by) {
    std::vector<std::uint16_t> labels(2 * 16);
    std::vector<std::size_t> given;
    bool const done = node_batches<false>(data, shares, 16)
                          .with_bytes(test::small_task{2, 17, nodes.data(), steps.data()}, 0, 16,
                                      strided<std::uint16_t>{labels.data(), 16},
                                      [&](std::size_t j, auto samples, byte_scale s) {
                                        given.push_back(j);
                                        CHECK(samples.size() == 16);
                                        CHECK(s.scale == 0.5F);
                                        CHECK(s.shift == -3.0F);
                                      });
    CHECK(given == by);
    return done;
  };
  CHECK(handed_out(small_bytes({{0.5F, -3.0F}}), {0, 1}));
  CHECK_FALSE(handed_out(small_bytes({{0.1F, 0.7F}, {0.3F, -0.2F}}), {}));
  CHECK_FALSE(handed_out(test::small_floats(), {}));
}

TEST_CASE("where samples lie does not matter", "[data]") {
  for (bool const augmented : {false, true}) {
    dataset data = small_bytes({{0.1F, 0.7F}, {0.3F, -0.2F}});
    if (augmented) data = data.augmented({});
    CHECK(test::load_on_host<false>(apart(data)) == test::load_on_host<false>(data));
    CHECK(test::load_on_host<true>(apart(data)) == test::load_on_host<true>(data));
  }
}

TEST_CASE("a chunk of a batch costs what it holds, however large the batch is", "[data]") {
  dataset const data = small_bytes({{0.5F, -3.0F}});
  partition const shares = test::three_shares();
  constexpr std::size_t batch = std::size_t{1} << 40, first = batch - 7;
  node const i = 1;
  std::uint64_t const step = 3;
  std::vector<float> inputs(4 * 60);
  std::vector<std::uint16_t> labels(4);
  serial::worker worker;
  node_batches<true>(data, shares, batch)
      .load(worker, test::small_task{1, 17, &i, &step}, first, 4, 4,
            strided<float>{inputs.data(), 0}, strided<std::uint16_t>{labels.data(), 0});
  for (std::size_t l = 0; l < 4; ++l) {
    std::vector<std::uint32_t> sample(1);  // in batches of one, at the same place of the stream
    batch_indices(17, i, step * batch + first + l, shares[i], sample);
    CHECK(labels[l] == data.labels()[sample[0]]);
    auto const features = features_of(data, sample[0]);
    CHECK(std::equal(features.begin(), features.end(), inputs.data() + l * 60));
  }
}

TEST_CASE("a batch holds its samples as they are moved, padding as a stored zero", "[data]") {
  crop_and_flip const how{.padding = 3};
  dataset const data = small_bytes({{0.1F, 0.7F}, {0.3F, -0.2F}}).augmented(how);
  partition const shares = test::three_shares();
  node const i = 1;
  std::uint64_t const step = 4;
  std::vector<std::uint32_t> indices(16);
  batch_indices(17, i, step, shares[i], indices);
  std::vector<float> inputs(16 * 60);
  std::vector<std::uint16_t> labels(16);
  serial::worker worker;
  node_batches<true>(data, shares, 16)
      .load(worker, test::small_task{1, 17, &i, &step}, 0, 16, 16, strided<float>{inputs.data(), 0},
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
      .load(worker, test::small_task{1, 17, &i, &step}, 0, 3, 16, strided<float>{inputs.data(), 0},
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
