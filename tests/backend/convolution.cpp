// The convolution and pooling kernels of the host against the functors that define them.
#include <gossip/backend/cpu.hpp>
#include <gossip/backend/serial.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include <gossip/core/random.hpp>
#include <gossip/op/convolution_blocks.hpp>
#include <gossip/op/product_layers.hpp>

#include "../catch.hpp"
#include "convolution_layer.hpp"

namespace op = gossip::op;
using gossip::convolution_shape;
using namespace gossip::test;

namespace {

/// Plain loops and plain products, of which the convolutions are made.
struct product_worker : op::product_layers<product_worker>, private gossip::serial::worker {
  using gossip::serial::worker::for_each;
  using gossip::serial::worker::gemm;
  using op::product_layers<product_worker>::convolve;
  using op::product_layers<product_worker>::convolve_back;
  using op::product_layers<product_worker>::convolve_weights;
};

template <convolution_shape S, class T>
void check_kernels(std::size_t lanes) {
  CAPTURE(S.channels, S.height, S.width, S.filters, S.kernel, S.stride, S.padding, lanes,
          sizeof(T));
  for (bool const accumulate : {false, true}) {
    layer<S, T> const given(lanes);
    layer<S, T> own = given, products = given, expected = given, magnitude = given.magnitudes();
    own.template run<gossip::cpu::worker>(accumulate);
    products.template run<product_worker>(accumulate);
    expected.template run<gossip::serial::worker>(accumulate);
    magnitude.template run<gossip::serial::worker>(accumulate);
    for (layer<S, T> const &got : {own, products}) {
      CHECK(worst_error(got.out, expected.out, magnitude.out, S.channels * S.taps()) <= 1.0);
      CHECK(worst_error(got.in_gradient, expected.in_gradient, magnitude.in_gradient,
                        S.filters * S.taps()) <= 1.0);
      CHECK(worst_error(got.weight_gradient, expected.weight_gradient, magnitude.weight_gradient,
                        S.out_plane() * lanes) <= 1.0);
    }
  }
}

template <convolution_shape S>
void check_shape() {
  for (std::size_t const lanes : {16, 32, 64}) {
    check_kernels<S, float>(lanes);
    check_kernels<S, double>(lanes);
  }
}

template <convolution_shape S>
void check_without_bias() {
  layer<S, double> zero(16), none = zero;
  zero.bias.assign(zero.bias.size(), 0.0);
  none.bias.clear();
  none.template run<gossip::serial::worker>(false);
  zero.template run<gossip::serial::worker>(false);
  CHECK(none.out == zero.out);
  none.template run<gossip::cpu::worker>(false);
  zero.template run<gossip::cpu::worker>(false);
  CHECK(none.out == zero.out);
  none.template run<product_worker>(false);
  zero.template run<product_worker>(false);
  CHECK(none.out == zero.out);
}

template <op::pool_shape S, class T>
void check_pool(std::size_t lanes) {
  std::size_t const in_size = S.channels * S.height * S.width * lanes;
  std::size_t const out_size = S.out_size() * lanes;
  std::vector<T> in = random_numbers<T>(layer_nodes * in_size, 6);
  for (T &x : in) x = std::floor(x * T{2});  // ties
  in[0] = std::numeric_limits<T>::quiet_NaN();
  in[in_size - 1] = std::numeric_limits<T>::quiet_NaN();
  auto const run = [&](auto const &worker, std::vector<T> &out) {
    std::vector<std::uint8_t> winner(layer_nodes * out_size, 77);
    out.assign(layer_nodes * out_size, T{-7});
    worker.max_pool(
        layer_nodes,
        op::max_pool<S, T>{
            {in.data(), in_size}, {out.data(), out_size}, {winner.data(), out_size}, lanes});
    return winner;
  };
  std::vector<T> got, expected;
  CHECK(run(gossip::cpu::worker{}, got) == run(gossip::serial::worker{}, expected));
  for (std::size_t i = 0; i < got.size(); ++i)
    REQUIRE((got[i] == expected[i] || (std::isnan(got[i]) && std::isnan(expected[i]))));
}

}  // namespace

TEST_CASE("a convolution written out by hand", "[backend]") {
  // One channel of 2 x 3, one filter of 2 x 2: out = 1 in00 + 2 in01 + 3 in10 + 4 in11 + 10.
  constexpr convolution_shape shape{1, 2, 3, 1, 2};
  constexpr std::size_t lanes = 16;
  std::vector<float> const weights{1, 2, 3, 4}, bias{10};
  std::vector<float> in(6 * lanes), out(2 * lanes);
  for (std::size_t i = 0; i < 6; ++i)
    for (std::size_t l = 0; l < lanes; ++l) in[i * lanes + l] = static_cast<float>(i + l);
  auto const convolve = [&](auto const &worker) {
    worker.convolve(
        1, op::convolve<shape, float>{
               {weights.data(), 0}, {bias.data(), 0}, {in.data(), 0}, {out.data(), 0}, {}, lanes});
    for (std::size_t l = 0; l < lanes; ++l) {
      CHECK(out[l] == 37.0F + 10.0F * static_cast<float>(l));  // 0 + 2 + 9 + 16 + 10
      CHECK(out[lanes + l] == 47.0F + 10.0F * static_cast<float>(l));
    }
  };
  convolve(gossip::serial::worker{});
  convolve(gossip::cpu::worker{});
}

TEST_CASE("convolution kernels with a kernel of 1 agree with the definition", "[backend]") {
  check_shape<convolution_shape{1, 1, 1, 1, 1}>();
  check_shape<convolution_shape{3, 4, 5, 7, 1}>();
}

TEST_CASE("convolution kernels with a kernel of 3 agree with the definition", "[backend]") {
  check_shape<convolution_shape{1, 3, 3, 1, 3}>();
  check_shape<convolution_shape{5, 6, 4, 13, 3}>();
}

TEST_CASE("convolution kernels with a kernel of 5 agree with the definition", "[backend]") {
  check_shape<convolution_shape{1, 7, 9, 11, 5}>();
  check_shape<convolution_shape{3, 5, 6, 2, 5}>();
}

TEST_CASE("convolution kernels with an even or large kernel agree too", "[backend]") {
  check_shape<convolution_shape{2, 5, 4, 3, 2}>();
  check_shape<convolution_shape{1, 8, 9, 2, 8}>();
}

TEST_CASE("padded convolutions agree with the definition", "[backend]") {
  check_shape<convolution_shape{3, 5, 6, 7, 3, 1, 1}>();
  check_shape<convolution_shape{17, 4, 3, 5, 3, 1, 2}>();
  check_shape<convolution_shape{2, 3, 2, 17, 5, 1, 2}>();
  check_shape<convolution_shape{1, 1, 1, 2, 3, 1, 1}>();
  check_shape<convolution_shape{33, 4, 4, 31, 3, 1, 1}>();
}

TEST_CASE("convolutions with a stride agree with the definition", "[backend]") {
  check_shape<convolution_shape{3, 7, 5, 16, 3, 2, 1}>();
  check_shape<convolution_shape{5, 8, 6, 3, 1, 2, 0}>();
  check_shape<convolution_shape{2, 11, 9, 15, 5, 3, 2}>();
  check_shape<convolution_shape{40, 6, 8, 20, 3, 2, 1}>();
  check_shape<convolution_shape{34, 5, 5, 3, 1, 2, 0}>();
  check_shape<convolution_shape{32, 9, 7, 2, 3, 3, 0}>();
  check_shape<convolution_shape{4, 8, 8, 3, 2, 3, 1}>();  // rows and columns that no tap meets
}

TEST_CASE("convolutions that are cut in blocks agree with the definition", "[backend]") {
  check_kernels<convolution_shape{3, 32, 32, 16, 3, 1, 1}, float>(64);  // as ResNet-20 begins
  check_kernels<convolution_shape{18, 33, 31, 3, 3, 2, 1}, float>(32);
  check_kernels<convolution_shape{35, 18, 19, 14, 3, 1, 1}, float>(32);
  check_kernels<convolution_shape{33, 17, 20, 3, 3, 2, 1}, double>(16);
  check_kernels<convolution_shape{64, 4, 4, 130, 3, 1, 1}, float>(16);
}

TEST_CASE("a convolution without biases begins at zero", "[backend]") {
  constexpr convolution_shape direct{2, 3, 4, 3, 2}, packed{2, 3, 4, 3, 3, 1, 1};
  check_without_bias<direct>();
  check_without_bias<packed>();
}

TEST_CASE("the convolutions of LeNet-5 agree with the definition", "[backend]") {
  check_kernels<convolution_shape{1, 28, 28, 20, 5}, float>(16);
  check_kernels<convolution_shape{20, 12, 12, 50, 5}, float>(16);
}

TEST_CASE("the pooling kernel agrees with the definition", "[backend]") {
  for (std::size_t const lanes : {16, 32, 64}) {
    check_pool<op::pool_shape{1, 1, 1, 1}, float>(lanes);
    check_pool<op::pool_shape{3, 6, 4, 2}, float>(lanes);
    check_pool<op::pool_shape{2, 7, 5, 2}, double>(lanes);
    check_pool<op::pool_shape{2, 7, 8, 3}, float>(lanes);
    check_pool<op::pool_shape{1, 15, 30, 15}, double>(lanes);
  }
}
