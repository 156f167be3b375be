// The quadratic: gradients, losses and noise in closed form.
#include <gossip/model/quadratic.hpp>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <gossip/backend/serial.hpp>

#include "../catch.hpp"

using gossip::node;
using gossip::quadratic;

namespace {

struct nothing {};

/// The gradient of each node at its row, (k, d), and the losses.
template <std::size_t D>
struct evaluated {
  std::vector<double> gradient, loss;

  evaluated(quadratic<D> const &model, std::vector<node> const &nodes,
            std::vector<std::uint64_t> const &steps, std::vector<double> const &x,
            std::uint64_t seed = 1)
      : gradient(x.size()), loss(nodes.size()) {
    gossip::serial::worker worker;
    nothing source;
    model.gradient(worker, gossip::training_task<double, nothing>{nodes.size(),
                                                                  1,
                                                                  seed,
                                                                  nodes.data(),
                                                                  steps.data(),
                                                                  {x.data(), D},
                                                                  {gradient.data(), D},
                                                                  {},
                                                                  {loss.data(), 1},
                                                                  source});
  }
};

}  // namespace

TEST_CASE("a quadratic pulls to its optimum with its curvature", "[model]") {
  quadratic<2> const model{.curvature = {2.0, 4.0}, .optimum = {1.0, -1.0, 0.5}};
  evaluated<2> const e(model, {0, 1, 5}, {0, 0, 0}, {3.0, 1.0, 0.0, -1.0, 0.5, 1.5});
  CHECK(e.gradient == std::vector<double>{4.0, 0.0, 4.0, 0.0, 0.0, 4.0});
  CHECK(e.loss == std::vector<double>{4.0, 2.0, 2.0});
}

TEST_CASE("a quadratic may have an optimum of its own in every coordinate", "[model]") {
  quadratic<2> const model{.curvature = {2.0}, .optimum = {{1.0, -1.0}, {0.5, 2.0}}};
  evaluated<2> const e(model, {0, 1, 2}, {0, 0, 0}, {3.0, 1.0, 0.0, -1.0, 1.0, -1.0});
  CHECK(e.gradient == std::vector<double>{4.0, 4.0, -1.0, -6.0, 0.0, 0.0});
  CHECK(e.loss == std::vector<double>{8.0, 9.25, 0.0});
  std::vector<gossip::node_values::entry> const mixed{{1.0}, {0.5, 2.0}};  // one number is for all
  evaluated<2> const m({.curvature = {2.0}, .optimum = mixed}, {0, 1}, {0, 0},
                       {0.0, 0.0, 0.0, 0.0});
  CHECK(m.gradient == std::vector<double>{-2.0, -2.0, -1.0, -4.0});
}

TEST_CASE("lists that do not fit a quadratic are refused", "[model]") {
  auto const refusal = [](quadratic<3> const &model) -> std::string {
    try {
      model.check();
    } catch (gossip::input_error const &e) {
      return e.what();
    }
    return "none";
  };
  CHECK(refusal({.optimum = {{1, 2, 3}, {4}}}) == "none");
  CHECK(refusal({.optimum = {{1, 2, 3}, {4, 5}}}) ==
        "quadratic: optimum: expected per node one number or a list of 3, one per coordinate, got "
        "2 numbers in entry 2");
  CHECK(refusal({.optimum = {{1, 2, NAN}}}) ==
        "quadratic: optimum: expected finite numbers, got nan");
  CHECK(refusal({.curvature = {1, -1e-9}}) ==
        "quadratic: curvature: expected finite numbers above 0, got -1e-09");
  CHECK(refusal({.noise = -1e-9}) ==
        "quadratic: noise: expected a finite number of at least 0, got -1e-09");
}

TEST_CASE("the gradient of a quadratic equals central differences", "[model]") {
  quadratic<3> const model{.curvature = {0.7}, .optimum = {0.3}};
  std::vector<double> x{-1.0, 0.2, 2.0};
  evaluated<3> const exact(model, {0}, {0}, x);
  for (std::size_t p = 0; p < 3; ++p) {
    double const before = x[p], h = 1e-4;
    x[p] = before + h;
    double const above = evaluated<3>(model, {0}, {0}, x).loss[0];
    x[p] = before - h;
    double const below = evaluated<3>(model, {0}, {0}, x).loss[0];
    x[p] = before;
    CHECK((above - below) / (2 * h) == Approx(exact.gradient[p]).epsilon(1e-10));
  }
}

TEST_CASE("noise is keyed by seed, node and step and has the stated deviation", "[model]") {
  constexpr std::size_t d = 20'000;
  quadratic<d> const model{.noise = 0.5};
  std::vector<double> const x(d, 0.0);
  auto const noise = evaluated<d>(model, {3}, {7}, x).gradient;
  double mean = 0.0, square = 0.0;
  for (double const g : noise) {
    mean += g / d;
    square += g * g / d;
  }
  CHECK(std::abs(mean) < 5 * 0.5 / std::sqrt(static_cast<double>(d)));
  CHECK(square == Approx(0.25).epsilon(5 * std::sqrt(2.0 / d)));
  CHECK(noise == evaluated<d>(model, {3}, {7}, x).gradient);
  CHECK(noise != evaluated<d>(model, {4}, {7}, x).gradient);
  CHECK(noise != evaluated<d>(model, {3}, {8}, x).gradient);
  CHECK(noise != evaluated<d>(model, {3}, {7}, x, 2).gradient);
  CHECK(evaluated<d>(model, {3}, {7}, x).loss[0] == 0.0);  // noise is in the gradient alone
}

TEST_CASE("every node of a quadratic starts where it is told", "[model]") {
  quadratic<3> const model{.start = -2.5};
  std::vector<float> row(3);
  model.initialise(std::span<float>(row), 1);
  CHECK(row == std::vector<float>(3, -2.5F));
  CHECK(quadratic<3>::parameters == 3);
  CHECK_FALSE(quadratic<3>::learns_from_samples);
  CHECK(quadratic<3>::workspace_bytes<float>(64) == 0);
}
