// The gradient at the mean model and the ratio of updates to weights, against closed forms of
// quadratics, and against each other where one step is one gradient.
#include <gossip/observer/mean_gradient.hpp>
#include <gossip/observer/update_ratio.hpp>

#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

#include <gossip/data/synthetic.hpp>
#include <gossip/model/layer/dense.hpp>
#include <gossip/model/quadratic.hpp>
#include <gossip/model/sequential.hpp>
#include <gossip/topology/complete.hpp>

#include "thresholds.hpp"

using namespace gossip::test;
using gossip::mean_gradient;
using gossip::rounds;
using gossip::update_ratio;

namespace {

struct keep_records {
  std::vector<gossip::record> *all;
  void take(gossip::record const &r) const { all->push_back(r); }
};

struct keep_last_state {
  std::vector<gossip::named_state> *states;
  void window_ended(gossip::window_end const &now) const { states->push_back(now.state()); }
};

/// The norm of the mean model.
struct norm_of_mean {
  std::vector<double> *sizes;
  template <class Context>
  void measure(Context &context, gossip::record &) const {
    double sum = 0;
    for (std::size_t c = 0; c < context.outline().parameters; ++c)
      sum += context.mean_model()[c] * context.mean_model()[c];
    sizes->push_back(std::sqrt(sum));
  }
};

double number(gossip::record const &r, std::string const &name) {
  for (auto const &one : r.numbers)
    if (one.name == name) return one.value;
  return std::nan("");
}

/// Of four nodes, whose optima have the mean 2.
gossip::quadratic<7> const bowl{.curvature = {0.5}, .optimum = {-3, 1, 2, 8}, .start = 10};
constexpr double rate = 0.4;

/// The mean model after so many rounds of plain gradients, each of its columns.
double mean_after(std::size_t count) {
  return 2 + 8 * std::pow(1 - rate * 0.5, static_cast<double>(count));
}

}  // namespace

TEST_CASE("the gradient at the mean model of quadratics is that of their formula", "[observer]") {
  gossip::simulator network{gossip::ring{4}, bowl, gossip::sgd{.rate = rate}, gossip::none{},
                            gossip::numbers<double>{}};
  std::vector<gossip::record> all;
  network.run({.stop = rounds{9}}, gossip::every(rounds{3}, mean_gradient{}, update_ratio{}),
              keep_records{&all});
  REQUIRE(all.size() == 4);
  for (std::size_t k = 0; k < all.size(); ++k) {
    double const x = mean_after(3 * k);
    CHECK(number(all[k], "mean_gradient_norm") == Approx(0.5 * std::sqrt(7) * (x - 2)));
    if (k == 0)
      CHECK(std::isnan(number(all[k], "update_to_weight")));
    else
      CHECK(number(all[k], "update_to_weight") ==
            Approx((mean_after(3 * k - 3) - x) / mean_after(3 * k - 3)));
  }
}

// One node, whose batch is the whole set: its step has the length of rate times the gradient.
TEST_CASE("a step by all samples is as long as the gradient at the mean model", "[observer]") {
  using model = gossip::sequential<gossip::input<1, 4, 4>, gossip::dense<3>>;
  auto const images = gossip::synthetic{.samples = 90, .shape = {1, 4, 4}, .classes = 3}.build();
  gossip::simulator network{gossip::complete{1}, model{}, gossip::sgd{.rate = rate}, gossip::none{},
                            gossip::numbers<double>{}};
  std::vector<gossip::record> all;
  std::vector<double> sizes;
  network.run({.batch = 90, .stop = rounds{3}}, gossip::split(images, gossip::iid{}),
              gossip::every(rounds{1}, mean_gradient{images, 0}, update_ratio{}),
              gossip::every(rounds{1}, norm_of_mean{&sizes}), keep_records{&all});
  REQUIRE(all.size() == 4);
  for (std::size_t k = 1; k < all.size(); ++k)
    CHECK(number(all[k], "update_to_weight") * sizes[k - 1] ==
          Approx(rate * number(all[k - 1], "mean_gradient_norm")));
}

TEST_CASE("the gradient at the mean model of a sample of the data is near that of all",
          "[observer]") {
  using model = gossip::sequential<gossip::input<1, 4, 4>, gossip::dense<3>>;
  auto const images = gossip::synthetic{.samples = 400, .shape = {1, 4, 4}, .classes = 3}.build();
  auto const norm = [&](std::size_t samples) {
    gossip::simulator network{gossip::ring{3}, model{}, gossip::sgd{.rate = rate}, gossip::none{}};
    return number(network
                      .run({.batch = 10, .stop = rounds{1}}, gossip::split(images, gossip::iid{}),
                           mean_gradient{images, samples})
                      .last,
                  "mean_gradient_norm");
  };
  CHECK(norm(0) == norm(400));
  CHECK(norm(300) != norm(400));
  CHECK(norm(300) == Approx(norm(400)).epsilon(0.3));
  auto const wide = gossip::synthetic{.samples = 40, .shape = {1, 5, 5}, .classes = 3}.build();
  gossip::simulator network{gossip::ring{3}, model{}, gossip::sgd{.rate = rate}, gossip::none{}};
  CHECK_THROWS_AS(network.run({.batch = 10, .stop = rounds{1}},
                              gossip::split(images, gossip::iid{}), mean_gradient{wide}),
                  gossip::input_error);
  CHECK_THROWS_WITH(network.run({.batch = 10, .stop = rounds{1}},
                                gossip::split(images, gossip::iid{}), mean_gradient{}),
                    "mean_gradient: expected training samples as its first argument, since the "
                    "model learns from samples, got none");
}

TEST_CASE("a run that goes on from a state knows what the mean model was before", "[observer]") {
  gossip::simulator network{gossip::ring{4}, bowl, gossip::sgd{.rate = rate}, gossip::none{},
                            gossip::numbers<double>{}};
  std::vector<gossip::named_state> states;
  gossip::run_settings settings{.stop = rounds{12}};
  auto const whole =
      network.run(settings, gossip::every(rounds{3}, update_ratio{}), keep_last_state{&states});
  REQUIRE(states.size() > 1);
  settings.state = &states.front();
  auto const rest =
      network.run(settings, gossip::every(rounds{3}, update_ratio{}), keep_last_state{&states});
  CHECK(number(rest.last, "update_to_weight") == number(whole.last, "update_to_weight"));
  CHECK(number(rest.last, "update_to_weight") ==
        Approx((mean_after(9) - mean_after(12)) / mean_after(9)));
}
