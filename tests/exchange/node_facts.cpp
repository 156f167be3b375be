// A plan's facts of a node: its samples, and the displacement of a step.
#include <gossip/data/iid.hpp>
#include <gossip/data/synthetic.hpp>
#include <gossip/model/layer/dense.hpp>
#include <gossip/model/sequential.hpp>
#include <gossip/topology/ring.hpp>

#include <cstddef>

#include "conformance.hpp"
#include "networks.hpp"

namespace gossip::test {

namespace {

// Every model becomes as many times itself as its node has samples.
struct multiplied {
  static constexpr std::size_t rows = 0;

  void on_round(auto &plan, round_number) const {
    plan.train_all();
    plan.step_all();
    for (node i = 0; i < plan.nodes(); ++i)
      plan.assign(i, model_row, {{plan.samples(i), model_row}});
  }
  static constexpr exchange_properties properties() { return {.gradient_waits = false}; }
};

// Nodes step, and go back by what the step says that it moved them.
struct there_and_back {
  static constexpr std::size_t rows = 1;
  double share = 1.0;

  void on_round(auto &plan, round_number) const {
    plan.train_all();
    plan.step_all({.displacement = exchange_row(0)});
    plan.assign_all(model_row, {{1, model_row}, {share, exchange_row(0)}});
  }
};

// The same whose gradients do not wait.
struct hasty : there_and_back {
  static constexpr exchange_properties properties() { return {.gradient_waits = false}; }
};

}  // namespace

// Ten samples in three shares: 3, 3 and 4.
TEST_CASE("a plan knows the samples of a node", "[exchange]") {
  dataset const images = synthetic{.samples = 10, .shape = {1, 2, 2}, .classes = 3}.build();
  small_simulator network{ring{3},
                          sequential<input<1, 2, 2>, dense<3>>{},
                          sgd{.rate = 1e-300},
                          multiplied{},
                          numbers<double>{},
                          cpu{.threads = 1}};
  auto const rows =
      watched(network, {.batch = 2, .stop = rounds{1}}, at_the_end, split(images, iid{}))
          .seen.back()
          .rows;
  for (std::size_t c = 0; c < 12; ++c) {
    CHECK(rows[0][c] / 3 == Approx(rows[1][c] / 3).epsilon(1e-14));
    CHECK(rows[0][c] / 3 == Approx(rows[2][c] / 4).epsilon(1e-14));
  }
}

TEST_CASE("a step leaves how far it has moved its node", "[exchange]") {
  auto const at = [](double share) {
    small_network network{ring{4}, scattered<3>{}, sgd{.rate = 0.5, .momentum = 0.9},
                          there_and_back{share}};
    return watched(network, {.seed = 5, .stop = rounds{1}}, at_the_end).seen.back().rows;
  };
  auto const back = at(1), half = at(0.5);
  for (node i = 0; i < 4; ++i)
    for (std::size_t c = 0; c < 3; ++c) {
      CHECK(back[i][c] == 0);
      CHECK(half[i][c] == Approx(0.25 * scattered<3>::point(5, i, c)).margin(1e-15));
    }
}

TEST_CASE("a step whose gradient does not wait cannot say how far it moves", "[exchange]") {
  CHECK_THROWS_WITH(mixed_numbers(path{3}, hasty{}, {1, 2, 3}, 1),
                    contains("steps by a gradient that had to wait"));
}

}  // namespace gossip::test
