// Every layer's backward pass against central differences of its forward pass.
#include <gossip/model/detail/wiring.hpp>
#include <gossip/model/layer/avg_pool.hpp>
#include <gossip/model/layer/conv2d.hpp>
#include <gossip/model/layer/dense.hpp>
#include <gossip/model/layer/max_pool.hpp>
#include <gossip/model/layer/relu.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "training.hpp"

using gossip::layer_pass;
using gossip::tensor_shape;
using gossip::test::normal_numbers;

namespace {

constexpr std::size_t nodes = 2;

/// Numbers in random order, 0.01 apart and at least 0.005 from 0: nothing switches within 0.004.
std::vector<double> apart(std::size_t count) {
  std::vector<double> numbers(count);
  std::iota(numbers.begin(), numbers.end(), 0.5 - static_cast<double>(count / 2));
  gossip::keyed_random random(1, gossip::purpose::user, 0, count);
  for (std::size_t i = count; i > 1; --i)
    std::swap(numbers[i - 1], numbers[random.below(static_cast<std::uint32_t>(i))]);
  for (double &x : numbers) x *= 0.01;
  return numbers;
}

/// A layer on values of two nodes, and the function sum(weight * out) that it is differentiated as.
template <class Layer, tensor_shape In, class Backend>
struct probe {
  static constexpr std::size_t d = Layer::parameters;
  std::size_t lanes;
  std::vector<double> parameters = normal_numbers<double>(nodes * d, 1);
  std::vector<double> in = apart(nodes * In.size() * lanes);
  std::vector<double> weight = normal_numbers<double>(nodes * Layer::out.size() * lanes, 2);
  std::vector<double> out = std::vector<double>(weight.size(), -7.0);
  std::vector<std::uint8_t> saved = std::vector<std::uint8_t>(nodes * Layer::saved * lanes);
  static constexpr std::size_t scratch_size = [] {
    if constexpr (requires { Layer::scratch; })
      return Layer::scratch;
    else
      return std::size_t{0};
  }();
  std::vector<double> scratch = std::vector<double>(nodes * scratch_size * lanes);
  std::vector<double> parameter_gradient = normal_numbers<double>(nodes * d, 3);
  std::vector<double> in_gradient = std::vector<double>(in.size(), -7.0);
  typename Backend::worker worker{};

  layer_pass<double> pass() {
    layer_pass<double> p{};
    p.k = nodes;
    p.lanes = lanes;
    p.parameters = {parameters.data(), d};
    p.in = {in.data(), In.size() * lanes};
    p.saved = {saved.data(), Layer::saved * lanes};
    p.scratch = {scratch.data(), scratch_size * lanes};
    return p;
  }
  double value() {
    layer_pass<double> p = pass();
    p.out = {out.data(), Layer::out.size() * lanes};
    Layer::forward(worker, p);
    return std::inner_product(out.begin(), out.end(), weight.begin(), 0.0);
  }
  void backward(bool accumulate, bool with_input) {
    value();  // saves for backward
    layer_pass<double> p = pass();
    p.out_gradient = {weight.data(), Layer::out.size() * lanes};
    p.parameter_gradient = {parameter_gradient.data(), d};
    if (with_input) p.in_gradient = {in_gradient.data(), In.size() * lanes};
    p.accumulate = accumulate;
    Layer::backward(worker, p);
  }
};

/// Layers are piecewise linear in each number: differences are exact but for rounding, which is
/// 2^-53 of the terms of value(), some thousands of size 10 and of either sign, over 8e-3.
template <class Probe>
void check_differences(Probe &probe, std::vector<double> &at, std::vector<double> const &gradient,
                       std::vector<double> const &offset) {
  constexpr double h = 0.004;
  std::size_t const stride = 1 + at.size() / 150;
  for (std::size_t i = 0; i < at.size(); i += stride) {
    double const before = at[i];
    at[i] = before + h;
    double const above = probe.value();
    at[i] = before - h;
    double const below = probe.value();
    at[i] = before;
    CAPTURE(i);
    REQUIRE(std::abs((above - below) / (2 * h) - (gradient[i] - offset[i])) < 1e-8);
  }
}

template <class Layer, tensor_shape In, class Backend>
void check_layer_on(std::size_t lanes) {
  CAPTURE(In.channels, In.height, In.width, lanes, Backend::name);
  for (bool const accumulate : {false, true}) {
    probe<Layer, In, Backend> p{.lanes = lanes};
    std::vector<double> offset = p.parameter_gradient;
    if (!accumulate) std::fill(offset.begin(), offset.end(), 0.0);
    p.backward(accumulate, true);
    std::vector<double> const in_gradient = p.in_gradient;
    check_differences(p, p.parameters, p.parameter_gradient, offset);
    check_differences(p, p.in, in_gradient, std::vector<double>(p.in.size(), 0.0));
  }
  probe<Layer, In, Backend> with{.lanes = lanes}, without{.lanes = lanes};
  with.backward(false, true);
  without.backward(false, false);
  CHECK(with.parameter_gradient == without.parameter_gradient);
  CHECK(without.in_gradient == std::vector<double>(without.in.size(), -7.0));
}

template <class Layer, tensor_shape In>
void check_layer() {
  using on = typename Layer::template on<In>;
  for (std::size_t const lanes : {16, 64}) {
    check_layer_on<on, In, gossip::serial>(lanes);
    check_layer_on<on, In, gossip::cpu>(lanes);
  }
}

}  // namespace

TEST_CASE("gradients of a convolution equal central differences", "[model]") {
  check_layer<gossip::conv2d<1, 1>, {1, 1, 1}>();
  check_layer<gossip::conv2d<3, 2>, {2, 5, 3}>();
  check_layer<gossip::conv2d<2, 3>, {3, 3, 4}>();
  check_layer<gossip::conv2d<5, 5>, {1, 6, 7}>();
}

TEST_CASE("gradients of a convolution with options equal central differences", "[model]") {
  check_layer<gossip::conv2d<3, 3, gossip::convolution_options{.padding = 1}>, {2, 4, 3}>();
  check_layer<
      gossip::conv2d<2, 3, gossip::convolution_options{.stride = 2, .padding = 1, .bias = false}>,
      {3, 5, 4}>();
  check_layer<gossip::conv2d<4, 1, gossip::convolution_options{.stride = 2, .bias = false}>,
              {2, 3, 4}>();
  check_layer<gossip::conv2d<2, 5, gossip::convolution_options{.stride = 3, .padding = 2}>,
              {1, 6, 7}>();
  check_layer<gossip::conv2d<3, 3, gossip::convolution_options{.padding = 1, .bias = false}>,
              {33, 2, 2}>();
  check_layer<gossip::conv2d<2, 3, gossip::convolution_options{.stride = 2, .padding = 1}>,
              {32, 3, 3}>();
}

TEST_CASE("gradients of average pooling equal central differences", "[model]") {
  check_layer<gossip::avg_pool<1>, {2, 3, 2}>();
  check_layer<gossip::avg_pool<2>, {3, 4, 6}>();
  check_layer<gossip::avg_pool<2>, {2, 5, 3}>();
  check_layer<gossip::avg_pool<3>, {1, 8, 7}>();
  check_layer<gossip::global_avg_pool, {1, 1, 1}>();
  check_layer<gossip::global_avg_pool, {3, 4, 5}>();
}

TEST_CASE("gradients of pooling equal central differences", "[model]") {
  check_layer<gossip::max_pool<1>, {2, 3, 2}>();
  check_layer<gossip::max_pool<2>, {3, 4, 6}>();
  check_layer<gossip::max_pool<2>, {2, 5, 3}>();
  check_layer<gossip::max_pool<3>, {1, 8, 7}>();
}

TEST_CASE("gradients of a rectifier equal central differences", "[model]") {
  check_layer<gossip::relu, {1, 1, 1}>();
  check_layer<gossip::relu, {3, 5, 2}>();
}

TEST_CASE("gradients of a dense layer equal central differences", "[model]") {
  check_layer<gossip::dense<1>, {1, 1, 1}>();
  check_layer<gossip::dense<3>, {2, 3, 3}>();
  check_layer<gossip::dense<17>, {1, 5, 1}>();
}

TEST_CASE("a dense layer reads samples as a dataset holds them", "[model]") {
  constexpr tensor_shape in{1, 3, 5};
  constexpr std::size_t lanes = 16;
  probe<gossip::dense<4>::on<in, false>, in, gossip::cpu> lane_major{.lanes = lanes};
  probe<gossip::dense<4>::on<in, true>, in, gossip::cpu> sample_major{.lanes = lanes};
  for (std::size_t j = 0; j < nodes; ++j)
    for (std::size_t f = 0; f < in.size(); ++f)
      for (std::size_t l = 0; l < lanes; ++l)
        sample_major.in[(j * lanes + l) * in.size() + f] =
            lane_major.in[(j * in.size() + f) * lanes + l];
  CHECK(lane_major.value() == Approx(sample_major.value()).epsilon(1e-14));
  CHECK(gossip::test::distance(lane_major.out, sample_major.out) < 1e-14);
  lane_major.backward(false, false);
  sample_major.backward(false, false);
  CHECK(gossip::test::distance(lane_major.parameter_gradient, sample_major.parameter_gradient) <
        1e-14);
  std::vector<double> const none(sample_major.parameters.size(), 0.0);
  check_differences(sample_major, sample_major.parameters, sample_major.parameter_gradient, none);
}

TEST_CASE("the options of a convolution decide its shape and its biases", "[model]") {
  // quote convolution_options
  using halving =
      gossip::conv2d<64, 3, gossip::convolution_options{.stride = 2, .padding = 1, .bias = false}>;
  using layer = halving::on<gossip::tensor_shape{32, 33, 32}>;
  static_assert(layer::out == gossip::tensor_shape{64, 17, 16});
  static_assert(layer::parameters == 64 * 32 * 3 * 3);
  // end quote
  CHECK(layer::forward_flops == 2.0 * 64 * 32 * 9 * 17 * 16);
  CHECK(layer::backward_flops(false) == 2 * layer::forward_flops);
  std::vector<double> row(layer::parameters);
  gossip::keyed_random random(1, gossip::purpose::initial_parameters, 0, 0);
  layer::initialise(std::span<double>(row), random);
  CHECK(*std::max_element(row.begin(), row.end()) <= 1.0 / std::sqrt(32.0 * 9.0));
}

TEST_CASE("layers know their shapes, parameters and work", "[model]") {
  using conv = gossip::conv2d<20, 5>::on<{1, 28, 28}>;
  CHECK(conv::out == tensor_shape{20, 24, 24});
  CHECK(conv::parameters == 520);
  CHECK(conv::forward_flops == 2.0 * 500 * 576);
  CHECK(conv::backward_flops(true) == conv::forward_flops);
  CHECK(conv::backward_flops(false) == 2 * conv::forward_flops);
  CHECK(gossip::conv2d<64, 1, gossip::convolution_options{.stride = 2}>::on<{32, 8, 8}>::out ==
        tensor_shape{64, 4, 4});
  CHECK(gossip::avg_pool<2>::on<{20, 25, 24}>::out == tensor_shape{20, 12, 12});
  CHECK(gossip::global_avg_pool::on<{20, 25, 24}>::out == tensor_shape{20, 1, 1});
  using pool = gossip::max_pool<2>::on<{20, 25, 24}>;
  CHECK(pool::out == tensor_shape{20, 12, 12});
  CHECK(pool::parameters == 0);
  using dense = gossip::dense<500>::on<{50, 4, 4}>;
  CHECK(dense::parameters == 400'500);
  CHECK(dense::forward_flops == 800'000);
  CHECK(gossip::relu::on<{2, 3, 4}>::out == tensor_shape{2, 3, 4});
}
