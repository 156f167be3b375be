// The models of the zoo: their constants, their start, their gradients.
#include <gossip/model/layer/dropout.hpp>
#include <gossip/model/layer/group_norm.hpp>
#include <gossip/model/layer/silu.hpp>
#include <gossip/model/zoo.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "training.hpp"

using namespace gossip::test;
using gossip::lenet5;
using gossip::mlp;
using gossip::softmax_regression;

namespace {

/// The parameters of one layer: weights, then biases, with as many inputs a unit as stated.
struct layer_part {
  std::size_t first, last, inputs;
};

template <class Model>
void check_start(std::vector<layer_part> const &layers) {
  auto const row = start_of<double>(Model{}, 5);
  CHECK(row == start_of<double>(Model{}, 5));
  auto const other = start_of<double>(Model{}, 6);
  for (auto const &[first, last, inputs] : layers) {
    double const bound = 1.0 / std::sqrt(static_cast<double>(inputs));
    double least = bound, greatest = -bound, sum = 0.0;
    for (std::size_t p = first; p < last; ++p) {
      least = std::min(least, row[p]);
      greatest = std::max(greatest, row[p]);
      sum += row[p];
      REQUIRE(row[p] != other[p]);
    }
    // Of m uniform numbers the extreme ones miss the bound by about 2 / m of it.
    auto const m = static_cast<double>(last - first);
    CAPTURE(first, inputs);
    CHECK((-bound <= least && least < -bound * (1 - 20 / m)));
    CHECK((greatest <= bound && greatest > bound * (1 - 20 / m)));
    CHECK(std::abs(sum / m) < 5 * bound / std::sqrt(3 * m));
  }
  CHECK(layers.back().last == Model::parameters);
}

}  // namespace

// Asserted here, for it takes a second: every user's file would take it too.
namespace asserted {
using namespace gossip;
static_assert(model<resnet20> && model<resnet18> && model<vgg11> && model<vgg16>);
static_assert(model<lenet5> && model<lenet5_classic> && model<mlp> && model<softmax_regression>);
static_assert(layer<avg_pool<2>> && layer<global_avg_pool> && layer<max_pool<2>> && layer<relu>);
static_assert(layer<conv2d<4, 3>> && layer<dense<4>> && layer<dropout<50>>);
static_assert(layer<batch_norm> && layer<group_norm<4>> && layer<silu> && layer<subsample<16, 2>>);
}  // namespace asserted

TEST_CASE("the zoo has the sizes that papers give", "[model]") {
  CHECK(lenet5::parameters == 431'080);
  CHECK(mlp::parameters == 79'510);
  CHECK(softmax_regression::parameters == 7'850);
  CHECK(gossip::lenet5_classic::parameters == 61'706);
  CHECK(gossip::lenet5_cifar10::parameters == 62'006);
  CHECK(gossip::resnet20::parameters == 269'722);
  CHECK(gossip::resnet18::parameters == 11'173'962);
  CHECK(gossip::vgg11::parameters == 9'231'114);
  CHECK(gossip::vgg16::parameters == 14'728'266);
  CHECK((lenet5::classes == 10 && mlp::classes == 10 && softmax_regression::classes == 10));
  CHECK((!lenet5::sample_major && mlp::sample_major && softmax_regression::sample_major));
}

TEST_CASE("the zoo counts its multiplications and additions", "[model]") {
  // LeNet-5, two for each weight and place it is used at; the first layer needs no input gradient.
  double const first = 2.0 * 500 * 576, second = 2.0 * 25'000 * 64, dense = 2.0 * (800 + 10) * 500;
  CHECK(lenet5::evaluation_flops == first + second + dense);
  CHECK(lenet5::training_flops == 2 * first + 3 * (second + dense));
  CHECK(64 * lenet5::training_flops == Approx(843.6e6).epsilon(1e-3));
  CHECK(64 * mlp::training_flops == Approx(20.5e6).epsilon(3e-3));
  CHECK(64 * softmax_regression::training_flops == Approx(2.0e6).epsilon(5e-3));
}

TEST_CASE("every node of a seed starts alike, within the bounds of its inputs", "[model]") {
  check_start<lenet5>(
      {{0, 520, 25}, {520, 25'570, 500}, {25'570, 426'070, 800}, {426'070, 431'080, 500}});
  check_start<mlp>({{0, 78'500, 784}, {78'500, 79'510, 100}});
  check_start<softmax_regression>({{0, 7'850, 784}});
}

TEST_CASE("a layer's start is keyed by its place", "[model]") {
  using gossip::dense;
  using twice = gossip::sequential<gossip::input<1, 1, 4>, dense<4>, dense<4>>;
  using longer = gossip::sequential<gossip::input<1, 1, 4>, dense<4>, dense<4>, dense<4>>;
  auto const row = start_of<double>(twice{});
  auto const longer_row = start_of<double>(longer{});
  for (std::size_t p = 0; p < 20; ++p) REQUIRE(row[p] != row[20 + p]);
  CHECK(std::equal(row.begin(), row.end(), longer_row.begin()));
}

TEST_CASE("floats start as the doubles of the same seed, rounded", "[model]") {
  auto const exact = start_of<double>(mlp{}, 2);
  auto const rounded = start_of<float>(mlp{}, 2);
  for (std::size_t p = 0; p < exact.size(); ++p)
    REQUIRE(rounded[p] == static_cast<float>(exact[p]));
}

TEST_CASE("gradients of the zoo equal central differences", "[model]") {
  for (std::size_t const batch : {3, 65})
    check_central_differences<gossip::cpu>(lenet5{}, batch, 24);
  for (std::size_t const batch : {1, 17, 64, 130}) {
    check_central_differences<gossip::cpu>(mlp{}, batch, 40);
    check_central_differences<gossip::cpu>(softmax_regression{}, batch, 40);
  }
}

TEST_CASE("the start of a model predicts nothing", "[model]") {
  auto const data = samples<lenet5, float>::random(64);
  auto const first = learn<gossip::cpu>(lenet5{}, start_of<float>(lenet5{}), data);
  CHECK(first.loss[0] == Approx(std::log(10.0)).margin(0.1));
}
