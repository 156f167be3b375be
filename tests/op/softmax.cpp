// Softmax with cross-entropy against its closed form in long double.
#include <gossip/op/softmax.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include <gossip/core/random.hpp>

#include "../catch.hpp"

namespace op = gossip::op;

namespace {

/// The scores of a chunk, and what softmax makes of them. Vectors are (classes, lanes) or (lanes).
template <class T>
struct chunk {
  std::size_t classes, lanes, samples;
  std::vector<T> scores;
  std::vector<std::uint16_t> labels;
  std::vector<T> gradient, largest, total, chosen;

  chunk(std::size_t classes_, std::size_t lanes_, std::size_t samples_, double spread)
      : classes(classes_),
        lanes(lanes_),
        samples(samples_),
        scores(classes * lanes),
        labels(lanes, 9999),  // beyond the samples: never read
        gradient(classes * lanes, T{-7}),
        largest(lanes),
        total(lanes),
        chosen(lanes) {
    gossip::keyed_random random(1, gossip::purpose::user, 0, classes);
    for (T &s : scores) s = static_cast<T>(spread * random.normal());
    for (std::size_t i = 0; i < samples; ++i)
      labels[i] = static_cast<std::uint16_t>(random.below(static_cast<std::uint32_t>(classes)));
  }

  template <std::size_t Group>
  void run(T scale, T const *loss_scale = nullptr) {
    op::softmax_cross_entropy<T, Group> const f{{scores.data(), 0},
                                                {labels.data(), 0},
                                                {gradient.data(), 0},
                                                {largest.data(), 0},
                                                {total.data(), 0},
                                                {chosen.data(), 0},
                                                classes,
                                                lanes,
                                                samples,
                                                scale,
                                                loss_scale};
    for (std::size_t group = 0; group < lanes / Group; ++group) f(0, group, 0);
  }

  long double loss(std::size_t lane) const {
    return std::log(static_cast<long double>(total[lane])) + largest[lane] - chosen[lane];
  }

  /// log of the sum of e^score, exactly enough.
  long double log_sum(std::size_t lane) const {
    long double top = -std::numeric_limits<long double>::infinity(), sum = 0;
    for (std::size_t c = 0; c < classes; ++c)
      top = std::max<long double>(top, scores[c * lanes + lane]);
    for (std::size_t c = 0; c < classes; ++c) sum += std::exp(scores[c * lanes + lane] - top);
    return top + std::log(sum);
  }
};

template <class T, std::size_t Group>
void check_closed_form(std::size_t classes, std::size_t samples, double spread) {
  chunk<T> c(classes, 32, samples, spread);
  T const scale = T{1} / static_cast<T>(samples);
  c.template run<Group>(scale);
  // One exponential is right to 2e-7 or 1e-15; their sum adds half an ulp a class and the quotient
  // three. Relative to scale, since probabilities are at most 1.
  long double const ulp = std::numeric_limits<T>::epsilon();
  long double const probability =
      2 * (sizeof(T) == 4 ? 2e-7L : 1e-15L) + (static_cast<long double>(classes) / 2 + 3) * ulp;
  for (std::size_t lane = 0; lane < c.lanes; ++lane) {
    for (std::size_t k = 0; k < classes; ++k) {
      T const got = c.gradient[k * c.lanes + lane];
      if (lane >= samples) {
        REQUIRE(got == T{0});
        continue;
      }
      long double const p = std::exp(c.scores[k * c.lanes + lane] - c.log_sum(lane));
      long double const exact = scale * (p - (k == c.labels[lane] ? 1 : 0));
      REQUIRE(std::abs(got - exact) <= scale * probability);
    }
    if (lane >= samples) continue;
    long double const exact = c.log_sum(lane) - c.chosen[lane];
    REQUIRE(std::abs(c.loss(lane) - exact) <= probability);
    REQUIRE(c.chosen[lane] == c.scores[c.labels[lane] * c.lanes + lane]);
  }
}

}  // namespace

TEST_CASE("the exponential below 0 has the accuracy it states", "[op]") {
  gossip::keyed_random random(2, gossip::purpose::user, 0, 0);
  double worst_float = 0.0, worst_double = 0.0;
  for (int k = 0; k < 300'000; ++k) {
    for (double const range : {87.0, 1.0, 1e-6}) {
      double const x = -range * random.uniform();
      auto const f = static_cast<float>(x);
      long double const of_float = std::exp(static_cast<long double>(f));
      long double const of_double = std::exp(static_cast<long double>(x));
      worst_float =
          std::max(worst_float, static_cast<double>(std::abs(op::exponential(f) / of_float - 1)));
      worst_double =
          std::max(worst_double, static_cast<double>(std::abs(op::exponential(x) / of_double - 1)));
    }
  }
  CHECK(worst_float < 2e-7);
  CHECK(worst_double < 1e-15);
}

TEST_CASE("the exponential is 1 at 0 and next to nothing at its lowest exponent", "[op]") {
  constexpr auto lowest = static_cast<float>(op::lowest_exponent);
  CHECK(op::exponential(0.0F) == 1.0F);
  CHECK(op::exponential(0.0) == 1.0);
  CHECK(op::exponential(lowest) > 0.0F);
  CHECK(op::exponential(lowest) < 2e-38F);
}

TEST_CASE("scores far below the largest count as nothing", "[op]") {
  chunk<float> c(2, 1, 1, 0.0F);
  c.scores[0] = 1e30F;
  c.scores[c.lanes] = -1e30F;
  c.labels[0] = 0;
  c.run<1>(1.0F);
  CHECK(c.gradient[0] == 0.0F);
  CHECK(c.gradient[c.lanes] < 2e-38F);
}

TEST_CASE("two equal scores share the probability", "[op]") {
  chunk<double> c(2, 1, 1, 0.0);
  c.labels[0] = 1;
  c.run<1>(0.25);
  CHECK(c.gradient == std::vector<double>{0.125, -0.125});
  CHECK(static_cast<double>(c.loss(0)) == Approx(std::log(2.0)).epsilon(1e-15));
}

TEST_CASE("softmax agrees with its closed form", "[op]") {
  for (std::size_t const classes : {1, 2, 3, 10, 17, 100})
    for (std::size_t const samples : {1, 17, 32}) {
      check_closed_form<double, 1>(classes, samples, 2.0);
      check_closed_form<double, 16>(classes, samples, 2.0);
      check_closed_form<float, 1>(classes, samples, 2.0);
      check_closed_form<float, 16>(classes, samples, 2.0);
      check_closed_form<double, 16>(classes, samples, 200.0);  // certain and impossible classes
    }
}

TEST_CASE("groups of lanes give the bits of single lanes", "[op]") {
  chunk<float> one(10, 64, 50, 3.0), many = one;
  one.run<1>(0.02F);
  many.run<16>(0.02F);
  CHECK(one.gradient == many.gradient);
  CHECK(one.total == many.total);
}

TEST_CASE("scores of any size leave the loss finite", "[op]") {
  chunk<float> c(3, 16, 16, 1e30);
  c.run<16>(1.0F);
  for (std::size_t lane = 0; lane < 16; ++lane) {
    CHECK(std::isfinite(c.loss(lane)));
    for (std::size_t k = 0; k < 3; ++k) CHECK(std::abs(c.gradient[k * 16 + lane]) <= 1.0F);
  }
}

TEST_CASE("a score that is not a number leaves no loss", "[op]") {
  for (std::size_t at = 0; at < 3; ++at) {
    chunk<float> c(3, 16, 16, 1.0);
    c.scores[at * 16] = std::numeric_limits<float>::quiet_NaN();
    c.run<16>(1.0F);
    CHECK(std::isnan(static_cast<double>(c.loss(0))));
    CHECK(std::isfinite(static_cast<double>(c.loss(1))));
  }
}

TEST_CASE("the class of the greatest score is chosen, the first of equals", "[op]") {
  std::vector<float> const scores{1, 5, 3, 2, 5, 3, 0, 5, 4};  // (3 classes, 3 lanes)
  std::vector<std::uint16_t> choice(3);
  op::choose_class<float> const choose{{scores.data(), 0}, {choice.data(), 0}, 3, 3};
  for (std::size_t lane = 0; lane < 3; ++lane) choose(0, 0, lane);
  CHECK(choice == std::vector<std::uint16_t>{1, 0, 2});
}

TEST_CASE("a scale of the loss multiplies its gradient and leaves the loss alone", "[op]") {
  chunk<float> plain(10, 32, 20, 3.0), scaled(10, 32, 20, 3.0);
  float const loss_scale = 1024;
  plain.run<16>(0.05F);
  scaled.run<16>(0.05F, &loss_scale);
  for (std::size_t i = 0; i < plain.gradient.size(); ++i)
    CHECK(scaled.gradient[i] == 1024 * plain.gradient[i]);
  for (std::size_t l = 0; l < 20; ++l) CHECK(scaled.loss(l) == plain.loss(l));
}
