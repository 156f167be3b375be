// Initial weights: the moments of what is drawn are those of the formula.
#include <gossip/model/layer/layer.hpp>

#include <gossip/model/layer/conv2d.hpp>
#include <gossip/model/layer/dense.hpp>
#include <gossip/model/resnet.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>
#include <vector>

#include "../catch.hpp"

namespace {

constexpr double normal = 3.0, uniform = 1.8;  // fourth moments, in squares of the variance

/// Mean and variance of the weights, within five deviations of what so many draws of a variable of
/// mean 0 have.
void check_moments(std::span<double const> weights, double variance, double fourth_moment) {
  double const n = static_cast<double>(weights.size());
  double sum = 0.0, squares = 0.0;
  for (double const w : weights) {
    sum += w;
    squares += w * w;
  }
  CAPTURE(weights.size(), variance);
  CHECK(std::abs(sum / n) < 5 * std::sqrt(variance / n));
  CHECK(std::abs(squares / n - variance) < 5 * variance * std::sqrt((fourth_moment - 1) / n));
}

/// The weights of a layer of that many inputs and outputs a unit; biases behind them are zero.
template <class Layer>
void check_layer(std::size_t weights, double variance, double fourth_moment) {
  std::vector<double> row(Layer::parameters, 7.0);
  gossip::keyed_random random(5, gossip::purpose::initial_parameters, 1, 0);
  Layer::initialise(std::span<double>(row), random);
  check_moments(std::span<double const>(row).first(weights), variance, fourth_moment);
  CHECK(std::all_of(row.begin() + static_cast<std::ptrdiff_t>(weights), row.end(),
                    [](double bias) { return bias == 0.0; }));
}

using gossip::conv2d;
using gossip::start;

}  // namespace

TEST_CASE("a start of He et al. is normal with variance 2 / fan out", "[model]") {
  check_layer<conv2d<40, 3, {.padding = 1, .begin = start::he}>::on<{20, 8, 8}>>(
      40 * 20 * 9, 2.0 / (40 * 9), normal);
  check_layer<conv2d<64, 1, {.stride = 2, .bias = false, .begin = start::he}>::on<{32, 8, 8}>>(
      64 * 32, 2.0 / 64, normal);
}

TEST_CASE("a start of Glorot and Bengio is uniform with variance 2 / (fan in + fan out)",
          "[model]") {
  check_layer<conv2d<40, 3, {.begin = start::glorot}>::on<{20, 8, 8}>>(40 * 20 * 9, 2.0 / (60 * 9),
                                                                       uniform);
  double const bound = std::sqrt(6.0 / (60 * 9));
  std::vector<double> row(1000);
  gossip::keyed_random random(1, gossip::purpose::initial_parameters, 0, 0);
  gossip::draw_start(start::glorot, std::span<double>(row), row.size(), 180, 360, random);
  CHECK(std::ranges::max(row) < bound);
  CHECK(std::ranges::min(row) > -bound);
}

TEST_CASE("a start of PyTorch is uniform with variance 1 / (3 fan in), biases alike", "[model]") {
  using layer = conv2d<40, 3>::on<{20, 8, 8}>;
  std::vector<double> row(layer::parameters);
  gossip::keyed_random random(1, gossip::purpose::initial_parameters, 0, 0);
  layer::initialise(std::span<double>(row), random);
  check_moments(row, 1.0 / (3 * 180), uniform);
}

TEST_CASE("ResNet-20 starts every block by its filters, normalisation as the identity", "[model]") {
  std::vector<double> row(gossip::row_length<gossip::resnet20>);
  gossip::resnet20{}.initialise(std::span<double>(row), 1);
  std::span<double const> const all = row;
  std::size_t const first = 16 * 3 * 9, next = first + 32, block = 16 * 16 * 9;
  check_moments(all.first(first), 2.0 / (16 * 9), normal);
  check_moments(all.subspan(next, block), 2.0 / (16 * 9), normal);
  auto const is = [](double value) { return [value](double x) { return x == value; }; };
  CHECK(std::ranges::all_of(all.subspan(first, 16), is(1.0)));
  CHECK(std::ranges::all_of(all.subspan(first + 16, 16), is(0.0)));
  auto const statistics = all.subspan(gossip::resnet20::parameters);
  CHECK(std::ranges::all_of(statistics.first(16), is(0.0)));
  CHECK(std::ranges::all_of(statistics.subspan(16, 16), is(1.0)));
}
