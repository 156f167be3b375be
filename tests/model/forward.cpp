// Outputs of group normalisation, dropout and average pooling, against their formulas.
#include <gossip/model/layer/avg_pool.hpp>
#include <gossip/model/layer/dropout.hpp>
#include <gossip/model/layer/group_norm.hpp>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "training.hpp"

using gossip::layer_pass;
using gossip::test::normal_numbers;

namespace {

constexpr std::size_t lanes = 32;

/// One node's values through a layer.
template <class Layer, class Backend>
std::vector<double> forward(std::vector<double> const &in, std::vector<double> const &parameters,
                            bool training, std::uint64_t step = 0) {
  std::vector<double> out(Layer::out.size() * lanes), kept(in.size());
  gossip::node const self = 2;
  layer_pass<double> p{};
  p.k = 1;
  p.lanes = p.samples = lanes;
  p.training = training;
  p.key = {9, &self, &step};
  p.layer = 3;
  p.parameters = {parameters.data(), 0};
  p.in = {in.data(), 0};
  p.out = {out.data(), 0};
  p.kept = {kept.data(), 0};
  typename Backend::worker worker;
  Layer::forward(worker, p);
  return out;
}

template <class Backend>
void check_group_norm() {
  constexpr std::size_t channels = 6, plane = 12, groups = 3, of_group = channels / groups;
  using layer = gossip::group_norm<groups>::on<{channels, 3, 4}>;
  auto const in = normal_numbers<double>(channels * plane * lanes, 1, 3.0);
  auto const parameters = normal_numbers<double>(2 * channels, 2);
  auto const out = forward<layer, Backend>(in, parameters, true);
  constexpr double count = of_group * plane;
  for (std::size_t lane = 0; lane < lanes; ++lane)
    for (std::size_t g = 0; g < groups; ++g) {
      double mean = 0.0, variance = 0.0;
      std::size_t const first = g * of_group * plane, last = first + of_group * plane;
      for (std::size_t f = first; f < last; ++f) mean += in[f * lanes + lane] / count;
      for (std::size_t f = first; f < last; ++f)
        variance += (in[f * lanes + lane] - mean) * (in[f * lanes + lane] - mean) / count;
      for (std::size_t f = first; f < last; ++f) {
        double const normalised = (in[f * lanes + lane] - mean) / std::sqrt(variance + 1e-5);
        double const expected =
            parameters[f / plane] * normalised + parameters[channels + f / plane];
        REQUIRE(out[f * lanes + lane] == Approx(expected).margin(1e-13));
      }
    }
}

}  // namespace

TEST_CASE("group normalisation is PyTorch's formula for each sample and group", "[model]") {
  check_group_norm<gossip::serial>();
  check_group_norm<gossip::cpu>();
}

TEST_CASE("dropout does nothing when a model is evaluated", "[model]") {
  using layer = gossip::dropout<40>::on<{3, 5, 1}>;
  auto const in = normal_numbers<double>(15 * lanes, 1);
  CHECK(forward<layer, gossip::serial>(in, {}, false) == in);
  CHECK(forward<layer, gossip::cpu>(in, {}, false) == in);
}

TEST_CASE("dropout keeps its share of the values, scaled, others at every step", "[model]") {
  constexpr std::size_t features = 501;
  using layer = gossip::dropout<40>::on<{features, 1, 1}>;
  std::vector<double> const in(features * lanes, 2.0);
  auto const out = forward<layer, gossip::cpu>(in, {}, true);
  std::size_t dropped = 0;
  for (double const x : out) {
    REQUIRE((x == 0.0 || x == 2.0 * (1.0 / 0.6)));
    dropped += x == 0.0 ? 1 : 0;
  }
  double const n = features * lanes;
  CHECK(std::abs(static_cast<double>(dropped) - 0.4 * n) < 5 * std::sqrt(0.4 * 0.6 * n));
  CHECK(forward<layer, gossip::serial>(in, {}, true) == out);
  CHECK(forward<layer, gossip::cpu>(in, {}, true, 1) != out);
}

TEST_CASE("average pooling is the mean of each window, incomplete ones left out", "[model]") {
  constexpr std::size_t height = 5, width = 7;
  using layer = gossip::avg_pool<2>::on<{2, height, width}>;
  auto const in = normal_numbers<double>(2 * height * width * lanes, 1);
  auto const out = forward<layer, gossip::cpu>(in, {}, true);
  REQUIRE(out.size() == 2 * 2 * 3 * lanes);
  for (std::size_t f = 0; f < 12; ++f)
    for (std::size_t lane = 0; lane < lanes; ++lane) {
      std::size_t const top = (f / 6 * height + f / 3 % 2 * 2) * width + f % 3 * 2;
      double sum = 0.0;
      for (std::size_t const at : {top, top + 1, top + width, top + width + 1})
        sum += in[at * lanes + lane];
      REQUIRE(out[f * lanes + lane] == Approx(sum / 4).margin(1e-15));
    }
}
