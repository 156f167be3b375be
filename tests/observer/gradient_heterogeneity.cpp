// zeta^2 of quadratics and of softmax regression at 0, both by hand.
#include <gossip/observer/gradient_heterogeneity.hpp>

#include <gossip/data/dataset.hpp>
#include <gossip/data/sample_assignment.hpp>
#include <gossip/model/quadratic.hpp>
#include <gossip/model/zoo.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "../catch.hpp"

namespace gossip::test {

// grad f_i = a_i (x - b_i) in each of 3 columns, at x = 2: 1 * 1, 2 * 4, 3 * -3 = 1, 8, -9, whose
// mean is 0: 3 (1 + 64 + 81) / 3.
TEST_CASE("gradients of quadratics are as far apart as their formula says", "[observer]") {
  quadratic<3> const problem{.curvature = {1, 2, 3}, .optimum = {1, -2, 5}};
  std::vector<double> const x(3, 2.0);
  auto const found = heterogeneity_of_gradients(problem, 3, std::span<double const>(x));
  CHECK(found.of_node[0] == Approx(3));
  CHECK(found.of_node[1] == Approx(192));
  CHECK(found.of_node[2] == Approx(243));
  CHECK(found.mean == Approx(146));
  CHECK(found.squared_norm == Approx(0).margin(1e-20));
}

// Where all curvatures are a, zeta^2 = a^2 d Var(b), whatever x is, and grad f = a (x - mean b).
TEST_CASE("zeta^2 of equal curvatures is that of the optima, wherever it is taken", "[observer]") {
  quadratic<7> const problem{.curvature = {0.5}, .optimum = {-3, 1, 2, 8}};
  for (double const at : {-4.0, 0.0, 2.5}) {
    std::vector<double> const x(7, at);
    auto const found = heterogeneity_of_gradients(problem, 4, std::span<double const>(x));
    double const variance = (25 + 1 + 0 + 36) / 4.0;  // of optima, whose mean is 2
    CHECK(found.mean == Approx(0.25 * 7 * variance));
    CHECK(found.squared_norm == Approx(0.25 * 7 * (at - 2) * (at - 2)));
  }
}

// At 0 every class has the probability 1/10: the gradient of weight (c, f) is the mean over the
// samples of (1/10 - [label is c]) times feature f, that of bias c the same with 1.
TEST_CASE("gradients of samples are those of whole shares", "[observer]") {
  constexpr std::size_t features = 784, classes = 10, samples = 150;
  std::vector<float> values(samples * features);
  std::vector<std::uint16_t> labels(samples);
  for (std::size_t s = 0; s < samples; ++s) {
    labels[s] = static_cast<std::uint16_t>(s * 7 % classes);
    for (std::size_t f = 0; f < features; ++f)
      values[s * features + f] = static_cast<float>((s * 31 + f * 17) % 23) / 23;
  }
  std::vector<node> owner(samples);
  for (std::size_t s = 0; s < samples; ++s) owner[s] = s < 100 ? 0 : s % 2 == 0 ? 1 : 2;
  partition const shares = group_by<node>(owner, 3);  // of 100, 25 and 25 samples
  dataset const data("by hand", {1, 28, 28}, classes, values, labels);

  std::vector<std::vector<double>> gradient(3, std::vector<double>((features + 1) * classes));
  for (std::size_t s = 0; s < samples; ++s)
    for (std::size_t c = 0; c < classes; ++c) {
      double const off =
          (0.1 - (labels[s] == c ? 1 : 0)) / static_cast<double>(shares.size(owner[s]));
      for (std::size_t f = 0; f < features; ++f)
        gradient[owner[s]][c * features + f] += off * static_cast<double>(values[s * features + f]);
      gradient[owner[s]][features * classes + c] += off;
    }
  std::vector<double> expected(3);
  double norm = 0;
  for (std::size_t c = 0; c < gradient[0].size(); ++c) {
    double const mean = (gradient[0][c] + gradient[1][c] + gradient[2][c]) / 3;
    norm += mean * mean;
    for (node i = 0; i < 3; ++i) expected[i] += (gradient[i][c] - mean) * (gradient[i][c] - mean);
  }

  std::vector<float> const x(softmax_regression::parameters);
  auto const found =
      heterogeneity_of_gradients(softmax_regression{}, data, shares, std::span<float const>(x));
  for (node i = 0; i < 3; ++i) CHECK(found.of_node[i] == Approx(expected[i]).epsilon(1e-4));
  CHECK(found.mean == Approx((expected[0] + expected[1] + expected[2]) / 3).epsilon(1e-4));
  CHECK(found.squared_norm == Approx(norm).epsilon(1e-4));
}

}  // namespace gossip::test
