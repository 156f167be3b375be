// Convolutions by oneDNN against the functors that define them, and networks that are trained with
// them against those trained with our own.
#include <gossip/backend/onednn.hpp>

#include <cstddef>

#include <gossip/data/iid.hpp>
#include <gossip/data/split.hpp>
#include <gossip/data/synthetic.hpp>
#include <gossip/exchange/d_psgd.hpp>
#include <gossip/model/layer/batch_norm.hpp>
#include <gossip/model/layer/conv2d.hpp>
#include <gossip/model/layer/dense.hpp>
#include <gossip/model/layer/relu.hpp>
#include <gossip/model/layer/residual.hpp>
#include <gossip/model/sequential.hpp>
#include <gossip/optimizer/sgd.hpp>
#include <gossip/simulator/simulator.hpp>
#include <gossip/topology/ring.hpp>

#include "../catch.hpp"
#include "../model/training.hpp"
#include "conformance.hpp"

using namespace gossip::test;
using gossip::convolution_shape;

namespace {

template <convolution_shape S>
void check_definition() {
  static_assert(gossip::op::is_worth_reordering<S>);
  for (std::size_t const lanes : {16, 32, 64})
    for (bool const accumulate : {false, true}) {
      CAPTURE(S.channels, S.height, S.width, S.filters, S.kernel, S.stride, S.padding, lanes);
      layer<S, float> const given(lanes);
      layer<S, float> got = given, expected = given, magnitude = given.magnitudes();
      got.template run<gossip::onednn::worker>(accumulate);
      expected.template run<gossip::serial::worker>(accumulate);
      magnitude.template run<gossip::serial::worker>(accumulate);
      CHECK(worst_error(got.out, expected.out, magnitude.out, S.channels * S.taps()) <= 1.0);
      CHECK(worst_error(got.in_gradient, expected.in_gradient, magnitude.in_gradient,
                        S.filters * S.taps()) <= 1.0);
      CHECK(worst_error(got.weight_gradient, expected.weight_gradient, magnitude.weight_gradient,
                        S.out_plane() * lanes) <= 1.0);
    }
}

/// Layers that the library is not given have the bits of our own kernels.
template <convolution_shape S, class T>
void check_own() {
  layer<S, T> got(32), expected = got;
  got.template run<gossip::onednn::worker>(false);
  expected.template run<gossip::cpu::worker>(false);
  CHECK(got.out == expected.out);
  CHECK(got.in_gradient == expected.in_gradient);
  CHECK(got.weight_gradient == expected.weight_gradient);
}

constexpr gossip::convolution_options same{.padding = 1, .bias = false};
constexpr gossip::convolution_options half{.stride = 2, .padding = 1};
using body = gossip::branch<gossip::conv2d<16, 3, same>, gossip::batch_norm, gossip::relu,
                            gossip::conv2d<16, 3, same>, gossip::batch_norm>;
using network = gossip::sequential<gossip::input<3, 8, 8>, gossip::conv2d<16, 3, same>,
                                   gossip::batch_norm, gossip::relu, gossip::residual<body>,
                                   gossip::relu, gossip::conv2d<32, 3, half>, gossip::dense<10>>;

}  // namespace

TEST_CASE("onednn keeps the laws of a backend", "[backend]") {
  check_backend(gossip::onednn{});
}

TEST_CASE("oneDNN's convolutions agree with the definition", "[backend]") {
  check_definition<convolution_shape{16, 5, 6, 32, 3, 1, 1}>();
  check_definition<convolution_shape{32, 9, 7, 16, 3, 2, 1}>();
  check_definition<convolution_shape{48, 4, 4, 16, 5, 1, 2}>();
  check_definition<convolution_shape{16, 7, 8, 16, 2, 3, 1}>();
  check_definition<convolution_shape{64, 4, 4, 80, 3, 1, 1}>();
}

TEST_CASE("large convolutions are oneDNN's, which adds up in another order", "[backend]") {
  layer<convolution_shape{128, 4, 4, 128, 3, 1, 1}, float> got(32), own = got;
  got.run<gossip::onednn::worker>(false);
  own.run<gossip::cpu::worker>(false);
  CHECK(got.out != own.out);
  CHECK(got.in_gradient != own.in_gradient);
  CHECK(got.weight_gradient != own.weight_gradient);
}

TEST_CASE("a convolution of oneDNN without bias is one with zeros", "[backend]") {
  layer<convolution_shape{16, 5, 6, 32, 3, 1, 1}, float> zero(16), none = zero;
  zero.bias.assign(zero.bias.size(), 0.0F);
  none.bias.clear();
  none.run<gossip::onednn::worker>(false);
  zero.run<gossip::onednn::worker>(false);
  CHECK(none.out == zero.out);
}

TEST_CASE("what is not worth reordering, and double, stay with our kernels", "[backend]") {
  check_own<convolution_shape{3, 8, 8, 16, 3, 1, 1}, float>();    // few channels
  check_own<convolution_shape{16, 8, 8, 20, 3, 1, 1}, float>();   // no whole blocks
  check_own<convolution_shape{32, 8, 8, 64, 1, 2, 0}, float>();   // one tap
  check_own<convolution_shape{16, 8, 8, 16, 3, 1, 0}, float>();   // small planes without padding
  check_own<convolution_shape{16, 8, 8, 16, 3, 1, 1}, double>();  // not float
}

TEST_CASE("gradients through oneDNN are those of plain loops, on any team of cores", "[backend]") {
  for (std::size_t const batch : {16, 70}) {
    auto const data = samples<network, float>::random(batch, 3);
    auto const x = start_of<float>(network{});
    auto const alone = learn<gossip::onednn>(network{}, x, data, 1);
    auto const plain = learn<gossip::serial>(network{}, x, data);
    CAPTURE(batch);
    CHECK(distance(alone.gradient, plain.gradient) < 1e-4);
    CHECK(alone.loss[0] == Approx(plain.loss[0]).epsilon(1e-5));
    for (std::size_t const team : {2, 3}) {
      auto const together = learn<gossip::onednn>(network{}, x, data, team);
      CHECK(together.gradient == alone.gradient);
      CHECK(together.loss == alone.loss);
    }
  }
}

TEST_CASE("a workspace for any worker is enough for oneDNN", "[backend]") {
  using wide = gossip::sequential<gossip::input<16, 16, 16>, gossip::conv2d<128, 3, same>,
                                  gossip::dense<10>>;
  for (std::size_t const batch : {16, 64, 130}) {
    std::size_t const any = wide::workspace_bytes<float>(batch);
    CHECK(any >= wide::workspace_bytes<float, gossip::onednn::worker>(batch));
    CHECK(any > wide::workspace_bytes<float, gossip::cpu::worker>(batch));
  }
}

TEST_CASE("a run with oneDNN has the same bits on any number of threads", "[backend]") {
  auto const data = gossip::synthetic{.samples = 256, .shape = {3, 8, 8}, .classes = 10}.build();
  auto const run = [&](gossip::onednn backend, auto... options) {
    gossip::simulator simulator{
        gossip::ring{.nodes = 4}, network{}, gossip::sgd{.rate = 0.05, .momentum = 0.9},
        gossip::d_psgd{},         backend,   options...};
    return simulator.run({.batch = 16, .stop = gossip::rounds{4}},
                         gossip::split(data, gossip::iid{}));
  };
  auto const one = run({{.threads = 1}}), two = run({{.threads = 2}});
  CHECK(one.digest == two.digest);
  auto const check_rounded = [&](auto... options) {
    auto const rounded = run({{.threads = 1}}, options...);
    CHECK(rounded.digest == run({{.threads = 2}}, options...).digest);
    CHECK(rounded.digest != one.digest);
  };
  check_rounded(gossip::mixed_precision<gossip::bf16>{});
  check_rounded(gossip::numbers<float, gossip::bf16>{});
}
