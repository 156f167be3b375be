// Small networks of odd shapes: gradients, batches of any size, nodes side by side.
#include <gossip/model/layer/conv2d.hpp>
#include <gossip/model/layer/dense.hpp>
#include <gossip/model/layer/max_pool.hpp>
#include <gossip/model/layer/relu.hpp>
#include <gossip/model/sequential.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "training.hpp"

using namespace gossip::test;
using gossip::conv2d;
using gossip::dense;
using gossip::input;
using gossip::max_pool;
using gossip::relu;
using gossip::sequential;

namespace {

using conv_first = sequential<input<2, 9, 7>, conv2d<3, 2>, max_pool<3>, dense<5>>;
using deep = sequential<input<2, 7, 9>, conv2d<3, 3>, relu, max_pool<2>, dense<4>, relu, dense<3>>;
using dense_first = sequential<input<1, 3, 5>, dense<7>, relu, dense<3>>;
using pool_first = sequential<input<3, 5, 4>, max_pool<2>, dense<3>>;
using relu_first = sequential<input<1, 2, 3>, relu, dense<2>>;
using conv_last = sequential<input<1, 3, 3>, conv2d<4, 3>>;

static_assert(conv_first::parameters == 3 * 2 * 4 + 3 + (3 * 2 * 2 + 1) * 5);
static_assert(deep::parameters == 3 * 2 * 9 + 3 + (3 * 2 * 3 + 1) * 4 + 5 * 3);
static_assert(dense_first::parameters == 16 * 7 + 8 * 3);
static_assert(!conv_first::sample_major && !pool_first::sample_major && !relu_first::sample_major);
static_assert(dense_first::sample_major);
static_assert(conv_last::classes == 4 && pool_first::classes == 3);

constexpr std::size_t batches[] = {1, 3, 17, 64, 65, 130};

template <class Model>
void check_model() {
  for (std::size_t const batch : batches) {
    check_central_differences<gossip::cpu>(Model{}, batch, 60);
    if (batch < 64) check_central_differences<gossip::serial>(Model{}, batch, 60);
  }
}

}  // namespace

TEST_CASE("gradients of small networks equal central differences", "[model]") {
  check_model<conv_first>();
  check_model<deep>();
  check_model<dense_first>();
  check_model<pool_first>();
  check_model<relu_first>();
  check_model<conv_last>();
}

TEST_CASE("loss and gradient are means over the batch", "[model]") {
  using model = deep;
  std::vector<double> const x = start_of<double>(model{});
  for (std::size_t const batch : batches) {
    auto const data = samples<model, double>::random(batch);
    auto const whole = learn<gossip::cpu>(model{}, x, data);
    double loss = 0.0;
    std::vector<double> gradient(model::parameters, 0.0);
    for (std::size_t i = 0; i < batch; ++i) {
      auto const one = learn<gossip::cpu>(model{}, x, data.part(i, 1));
      loss += one.loss[0] / static_cast<double>(batch);
      for (std::size_t p = 0; p < gradient.size(); ++p)
        gradient[p] += one.gradient[p] / static_cast<double>(batch);
    }
    CAPTURE(batch);
    CHECK(whole.loss[0] == Approx(loss).epsilon(1e-13));
    CHECK(distance(whole.gradient, gradient) < 1e-13);
  }
}

TEST_CASE("nodes side by side compute what each computes alone", "[model]") {
  using model = conv_first;
  for (std::size_t const k : {1, 2, 3, 17}) {
    auto const x = normal_numbers<float>(k * model::parameters, k, 0.3);
    auto const data = samples<model, float>::random(70);
    auto const together = learn<gossip::cpu>(model{}, x, data);
    for (std::size_t j = 0; j < k; ++j) {
      auto const from = static_cast<std::ptrdiff_t>(j * model::parameters);
      auto const to = from + static_cast<std::ptrdiff_t>(model::parameters);
      auto const alone =
          learn<gossip::cpu>(model{}, std::vector<float>(x.begin() + from, x.begin() + to), data);
      CHECK(alone.loss[0] == together.loss[j]);
      CHECK(alone.gradient ==
            std::vector<float>(together.gradient.begin() + from, together.gradient.begin() + to));
    }
  }
}

TEST_CASE("a wrong class with certainty costs its score, a right one nothing", "[model]") {
  using model = sequential<input<1, 1, 1>, dense<2>>;
  std::vector<double> const x{0.0, 0.0, 50.0, 0.0};  // weights, then biases: always class 0
  samples<model, double> const right{{1.0}, {0}}, wrong{{1.0}, {1}};
  CHECK(learn<gossip::serial>(model{}, x, right).loss[0] == Approx(0.0).margin(1e-15));
  CHECK(learn<gossip::serial>(model{}, x, wrong).loss[0] == Approx(50.0));
  CHECK(distance(learn<gossip::serial>(model{}, x, wrong).gradient, {1.0, -1.0, 1.0, -1.0}) <
        1e-15);
}

TEST_CASE("choosing counts winning classes and sums losses of a chunk", "[model]") {
  using model = deep;
  auto const x = start_of<double>(model{}, 3);
  for (std::size_t const count : {1, 3, 17, 64}) {
    auto const data = samples<model, double>::random(count);
    std::vector<std::byte> workspace(model::workspace_bytes<double>(count) + 64);
    void *at = workspace.data();
    std::size_t room = workspace.size();
    std::align(64, room - 64, at, room);
    double loss = -1.0;
    std::uint32_t correct = 999;
    gossip::cpu::worker worker;
    model{}.evaluate(worker, gossip::evaluation_task<double, samples<model, double> const>{
                                 1,
                                 count,
                                 {x.data(), 0},
                                 {},
                                 {static_cast<std::byte *>(at), 0},
                                 {&loss, 0},
                                 {&correct, 0},
                                 data});
    double expected_loss = 0.0;
    std::uint32_t expected_correct = 0;
    for (std::size_t i = 0; i < count; ++i) {
      // The loss of a class is least where its score is greatest.
      auto one = data.part(i, 1);
      std::uint16_t const label = one.labels[0];
      std::vector<double> losses;
      for (one.labels[0] = 0; one.labels[0] < model::classes; ++one.labels[0])
        losses.push_back(learn<gossip::cpu>(model{}, x, one).loss[0]);
      expected_loss += losses[label];
      expected_correct += std::min_element(losses.begin(), losses.end()) - losses.begin() == label;
    }
    CHECK(loss == Approx(expected_loss).epsilon(1e-13));
    CHECK(correct == expected_correct);
  }
}
