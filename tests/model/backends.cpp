// The gradient of every model on the host's kernels against the serial oracle.
#include <gossip/model/layer/avg_pool.hpp>
#include <gossip/model/zoo.hpp>

#include <cmath>
#include <cstddef>

#include "training.hpp"

using namespace gossip::test;

namespace {

/// Both backends add up the same products in different orders. A gradient of the first layer comes
/// through at most `terms` roundings one after another, each half an ulp of what it rounds, and
/// terms of either sign cancel down to a tenth of their size, roughly.
template <class T, class Model>
void check_backends(std::size_t batch, double terms) {
  auto const x = start_of<T>(Model{});
  auto const data = samples<Model, T>::random(batch);
  auto const got = learn<gossip::cpu>(Model{}, x, data);
  auto const oracle = learn<gossip::serial>(Model{}, x, data);
  double const bound =
      10 * std::sqrt(terms) * static_cast<double>(std::numeric_limits<T>::epsilon());
  CAPTURE(batch, sizeof(T), bound);
  CHECK(got.loss[0] == Approx(oracle.loss[0]).epsilon(bound));
  CHECK(distance(got.gradient, oracle.gradient) < bound);
}

/// The kernels of the host, all planes of a layer before the next.
struct layer_by_layer : gossip::cpu::worker {
  template <gossip::convolution_shape>
  static constexpr bool by_filters = false;
};

template <class Worker, class Format>
struct rounding {
  using worker = gossip::detail::rounding_worker<Worker, Format>;
};

template <class Format, class Model>
void check_rounding(std::size_t batch) {
  auto const x = start_of<float>(Model{});
  auto const data = samples<Model, float>::random(batch);
  auto const got = learn<rounding<gossip::cpu::worker, Format>>(Model{}, x, data);
  auto const expected = learn<rounding<layer_by_layer, Format>>(Model{}, x, data);
  CHECK(got.loss == expected.loss);
  CHECK(got.gradient == expected.gradient);
  CHECK(got.loss != learn<gossip::cpu>(Model{}, x, data).loss);
}

}  // namespace

TEST_CASE("LeNet-5 on the host's kernels learns what the oracle learns", "[model]") {
  double const terms = 576 * 3 + 25 + 500 + 800 + 500;
  check_backends<float, gossip::lenet5>(3, terms);
  check_backends<double, gossip::lenet5>(3, terms);
}

TEST_CASE("dense models on BLAS learn what the oracle learns", "[model]") {
  for (std::size_t const batch : {1, 17, 65}) {
    double const terms = static_cast<double>(784 + 100 + batch);
    check_backends<float, gossip::mlp>(batch, terms);
    check_backends<double, gossip::mlp>(batch, terms);
    check_backends<float, gossip::softmax_regression>(batch, terms);
    check_backends<double, gossip::softmax_regression>(batch, terms);
  }
}

TEST_CASE("a small network of odd shapes learns what the oracle learns", "[model]") {
  using model = gossip::sequential<gossip::input<2, 9, 7>, gossip::conv2d<3, 2>, gossip::relu,
                                   gossip::max_pool<3>, gossip::dense<5>>;
  for (std::size_t const batch : {1, 3, 17, 64, 65, 130}) {
    double const terms = static_cast<double>(48 * batch + 8 + 12);
    check_backends<float, model>(batch, terms);
    check_backends<double, model>(batch, terms);
  }
}

TEST_CASE("convolutions whose planes are pooled as they come learn what the oracle learns",
          "[model]") {
  using model =
      gossip::sequential<gossip::input<2, 9, 7>, gossip::conv2d<13, 2>, gossip::max_pool<3>,
                         gossip::conv2d<7, 2>, gossip::max_pool<1>, gossip::dense<5>>;
  STATIC_REQUIRE(
      gossip::detail::works_on_planes<gossip::max_pool<3>::on<gossip::tensor_shape{13, 8, 6}>>);
  for (std::size_t const batch : {1, 17, 64, 130}) {
    double const terms = static_cast<double>(48 * batch + 8 + 52 + 7);
    check_backends<float, model>(batch, terms);
    check_backends<double, model>(batch, terms);
  }
}

TEST_CASE("planes that are pooled as they come are rounded as those that wait", "[model]") {
  using averaged =
      gossip::sequential<gossip::input<2, 9, 7>, gossip::conv2d<13, 2>, gossip::avg_pool<2>,
                         gossip::conv2d<7, 2>, gossip::max_pool<1>, gossip::dense<5>>;
  for (std::size_t const batch : {1, 64, 130}) {
    check_rounding<gossip::bf16, gossip::lenet5>(batch);
    check_rounding<gossip::fp16, gossip::lenet5>(batch);
    check_rounding<gossip::bf16, averaged>(batch);
  }
}

TEST_CASE("a network with strides, padding and averages learns what the oracle learns", "[model]") {
  using gossip::conv2d;
  using gossip::convolution_options;
  using model = gossip::sequential<
      gossip::input<3, 8, 7>, conv2d<33, 3, convolution_options{.padding = 1, .bias = false}>,
      gossip::relu, conv2d<5, 3, convolution_options{.stride = 2, .padding = 1}>,
      gossip::avg_pool<2>, gossip::relu, gossip::global_avg_pool, gossip::dense<4>>;
  for (std::size_t const batch : {3, 17, 65}) {
    double const terms = static_cast<double>(56 * batch + 27 + 33 * 9 + 5);
    check_backends<float, model>(batch, terms);
    check_backends<double, model>(batch, terms);
  }
}
