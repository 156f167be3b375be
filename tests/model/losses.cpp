// Losses of sequential models: values by hand, gradients against central differences, and a
// regression against least squares.
#include <gossip/model/losses.hpp>

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <gossip/backend/cpu.hpp>
#include <gossip/backend/serial.hpp>
#include <gossip/data/iid.hpp>
#include <gossip/data/regression.hpp>
#include <gossip/data/split.hpp>
#include <gossip/exchange/all_reduce.hpp>
#include <gossip/model/layer/conv2d.hpp>
#include <gossip/model/layer/dense.hpp>
#include <gossip/model/layer/silu.hpp>
#include <gossip/model/named_tensors.hpp>
#include <gossip/model/sequential.hpp>
#include <gossip/observer/accuracy.hpp>
#include <gossip/optimizer/sgd.hpp>
#include <gossip/simulator/gradient_check.hpp>
#include <gossip/simulator/simulator.hpp>
#include <gossip/topology/ring.hpp>

#include "../catch.hpp"

namespace {

using gossip::loss_sample;
using gossip::sequential;

/// Loss and gradient of one sample.
template <class Loss, std::size_t N>
std::pair<double, std::array<double, N>> at(std::array<double, N> const &outputs,
                                            std::array<double, N> const &targets,
                                            std::size_t label) {
  std::array<double, N> gradient{};
  double const found = Loss::of_sample(
      loss_sample<double>(outputs.data(), targets.data(), label, gradient.data(), N, 1));
  return {found, gradient};
}

// quote loss
/// Huber's loss of one output: square near the target, linear beyond a distance of 1.
struct huber {
  static constexpr std::size_t targets(std::size_t outputs) { return outputs; }
  static constexpr std::size_t classes(std::size_t) { return 0; }

  template <class T>
  static constexpr T of_sample(gossip::loss_sample<T> const &sample) {
    T const away = sample.output(0) - sample.target(0), size = away < T{0} ? -away : away;
    sample.set_gradient(0, size < T{1} ? away : away / size);
    return size < T{1} ? away * away / T{2} : size - T{1} / T{2};
  }
};
// end quote

template <class Loss, std::size_t Outputs>
using deep = sequential<gossip::input<1, 1, 3>, gossip::dense<4>, gossip::silu,
                        gossip::dense<Outputs>, Loss>;

template <class Model>
void check_gradients() {
  for (std::size_t const samples : {1, 5, 70}) {
    gossip::gradient_check_settings const settings{.samples = samples, .tolerance = 1e-8};
    CHECK_NOTHROW(gossip::check_gradient<gossip::serial>(Model{}, settings));
    CHECK_NOTHROW(gossip::check_gradient<gossip::cpu>(Model{}, settings));
  }
}

}  // namespace

TEST_CASE("mean square is the mean over outputs of squares", "[model]") {
  auto const [loss, gradient] = at<gossip::mean_square, 2>({1.0, -2.0}, {0.5, 1.0}, 0);
  CHECK(loss == Approx((0.25 + 9.0) / 2));
  CHECK(gradient[0] == Approx(0.5));   // 2 / 2 x 0.5
  CHECK(gradient[1] == Approx(-3.0));  // 2 / 2 x -3
}

TEST_CASE("the logistic loss of one output is -log of the chance of its label", "[model]") {
  for (double const z : {-40.0, -1.5, 0.0, 0.25, 3.0, 40.0})
    for (std::size_t const label : {0, 1}) {
      CAPTURE(z, label);
      auto const [loss, gradient] = at<gossip::logistic, 1>({z}, {0.0}, label);
      double const chance = 1 / (1 + std::exp(label == 1 ? -z : z));
      CHECK(loss == Approx(-std::log(chance)).margin(1e-15));
      CHECK(gradient[0] ==
            Approx(1 / (1 + std::exp(-z)) - static_cast<double>(label)).margin(1e-15));
    }
  // PyTorch's binary_cross_entropy_with_logits of [0.5, -2, 1] for [0, 0, 1].
  CHECK(at<gossip::logistic, 3>({0.5, -2.0, 1.0}, {}, 2).first == Approx(0.4714223).epsilon(1e-6));
}

TEST_CASE("a loss far from its label is large and finite", "[model]") {
  auto const [loss, gradient] = at<gossip::logistic, 1>({1000.0}, {0.0}, 0);
  CHECK(loss == Approx(1000.0));
  CHECK(gradient[0] == Approx(1.0));
}

TEST_CASE("softmax cross-entropy of one sample is that of the kernel for groups", "[model]") {
  auto const [loss, gradient] =
      at<gossip::softmax_cross_entropy, 3>({0.3, -1.0, 2.0}, {0.0, 0.0, 0.0}, 1);
  double const sum = std::exp(0.3) + std::exp(-1.0) + std::exp(2.0);
  CHECK(loss == Approx(std::log(sum) + 1.0));
  CHECK(gradient[0] == Approx(std::exp(0.3) / sum));
  CHECK(gradient[1] == Approx(std::exp(-1.0) / sum - 1));
}

TEST_CASE("gradients under every loss equal central differences", "[model]") {
  check_gradients<deep<gossip::softmax_cross_entropy, 3>>();
  check_gradients<deep<gossip::mean_square, 1>>();
  check_gradients<deep<gossip::mean_square, 2>>();
  check_gradients<deep<gossip::logistic, 1>>();
  check_gradients<deep<gossip::logistic, 3>>();
  check_gradients<deep<huber, 1>>();
  check_gradients<sequential<gossip::input<2, 3, 3>, gossip::conv2d<2, 2>, gossip::silu,
                             gossip::dense<2>, gossip::mean_square>>();
}

TEST_CASE("the loss that a model names last is no layer of its tensors", "[model]") {
  using model = deep<gossip::mean_square, 1>;
  CHECK(model::parameters == 3 * 4 + 4 + 4 + 1);
  CHECK(model::sample == gossip::tensor_shape{1, 1, 4});
  CHECK_FALSE(gossip::chooses_classes<model>);
  CHECK(deep<gossip::logistic, 1>::classes == 2);
  auto const tensors = gossip::named_tensors<model>();
  REQUIRE(tensors.size() == 4);
  CHECK(tensors[0].shape == std::vector<std::size_t>{4, 3});
}

TEST_CASE("targets lie behind the features, and labels are tenths by the first target", "[model]") {
  std::vector<float> features(40), targets(20);
  for (std::size_t i = 0; i < 20; ++i) targets[i] = static_cast<float>((i * 7) % 20);
  auto const set = gossip::regression_set("points", features, targets);
  CHECK(set.shape().size() == 3);
  CHECK(set.values()[3][2] == 1.0F);  // 21 mod 20
  for (std::size_t i = 0; i < 20; ++i) CHECK(set.labels()[i] == (i * 7) % 20 / 2);
  CHECK_THROWS_WITH(
      gossip::regression_set("points", features, {1.0F, 2.0F, 3.0F}),
      gossip::test::contains("points: expected features in a multiple of the 3 samples"));
  CHECK_THROWS_WITH(gossip::regression_set("points", {1.0F}, {NAN}),
                    gossip::test::contains("points: sample 0: expected finite targets, got nan"));
}

TEST_CASE("a linear regression of all nodes ends at least squares", "[model]") {
  constexpr std::size_t samples = 60;
  std::vector<float> features, targets;
  gossip::keyed_random random(3, gossip::purpose::user, 0, 0);
  double aa = 0, ab = 0, bb = 0, a1 = 0, b1 = 0, at1 = 0, bt = 0, t1 = 0, tt = 0;
  for (std::size_t i = 0; i < samples; ++i) {
    auto const a = static_cast<float>(random.normal()), b = static_cast<float>(random.normal());
    auto const t = static_cast<float>(0.5 * a - 2 * b + 1 + 0.3 * random.normal());
    features.insert(features.end(), {a, b});
    targets.push_back(t);
    double const x = a, y = b, z = t;
    aa += x * x, ab += x * y, bb += y * y, a1 += x, b1 += y, at1 += x * z, bt += y * z, t1 += z;
    tt += z * z;
  }
  // Normal equations of (w_a, w_b, bias), by Cramer's rule.
  double const n = samples;
  auto const det = [](double a, double b, double c, double d, double e, double f, double g,
                      double h, double i) {
    return a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g);
  };
  double const all = det(aa, ab, a1, ab, bb, b1, a1, b1, n);
  double const wa = det(at1, ab, a1, bt, bb, b1, t1, b1, n) / all;
  double const wb = det(aa, at1, a1, ab, bt, b1, a1, t1, n) / all;
  double const bias = det(aa, ab, at1, ab, bb, bt, a1, b1, t1) / all;
  double const least = (tt - wa * at1 - wb * bt - bias * t1) / n;

  auto const set = gossip::regression_set("line", features, targets);
  using line = sequential<gossip::input<1, 1, 2>, gossip::dense<1>, gossip::mean_square>;
  gossip::simulator network{gossip::ring{.nodes = 3}, line{}, gossip::sgd{.rate = 0.1},
                            gossip::all_reduce{}, gossip::numbers<double>{}};
  auto const report = network.run({.batch = samples / 3, .stop = gossip::rounds{600}},
                                  gossip::split(set, gossip::iid{}), gossip::accuracy{set});
  CHECK(*report.last.test_loss == Approx(least).epsilon(1e-6));
  CHECK_FALSE(report.last.accuracy);
  CHECK_FALSE(report.last.averaged_model_accuracy);
}
